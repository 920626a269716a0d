//! x86-64 kernels; each takes the token that proves its instructions, none where every x86-64 CPU has them.

#[macro_use]
mod pieces;
#[cfg(feature = "ifma")]
mod almost_blocks;
#[cfg(feature = "ifma")]
mod almost_lanes;
mod divsteps;
mod fold_4;
mod jacobian_fold_4;
mod lookup_4;
mod mont_2;
mod mont_4;
mod words;

#[cfg(all(test, feature = "ifma"))]
pub(crate) use almost_blocks::RIPPLES;
#[cfg(feature = "ifma")]
pub use almost_blocks::{mul_almost_blocks_ifma, sqr_almost_blocks_ifma};
#[cfg(feature = "ifma")]
pub use almost_lanes::mul_almost_lanes_ifma;
pub use divsteps::divsteps_packed_x86_64;
pub use fold_4::{
    add_fold_4_adx, half_fold_4_adx, mul_fold_4_adx, sqr_fold_4_adx, sqr_times_fold_4_adx, sub_fold_4_adx,
    times_fold_4_adx,
};
pub use jacobian_fold_4::{add_mixed_jacobian_fold_4_adx, double_jacobian_fold_4_adx};
pub use lookup_4::{lookup_row_4_avx2, select_4_adx};
pub use mont_2::mul_mont_2_adx;
pub use mont_4::{mul_mont_4_adx, sqr_times_mont_4_adx};
pub use words::{
    mul_low_words_adx, mul_words_adx, redc_words_adx, sqr_low_words_adx, sqr_words_adx, sub_mul_words_adx,
};
