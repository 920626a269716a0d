//! x86-64 kernels; each takes the token that proves its instructions.

#[macro_use]
mod pieces;
mod fold_4;
mod jacobian_fold_4;
mod lookup_4;

pub use fold_4::{add_fold_4_adx, half_fold_4_adx, mul_fold_4_adx, sqr_fold_4_adx, sub_fold_4_adx, times_fold_4_adx};
pub use jacobian_fold_4::{add_mixed_jacobian_fold_4_adx, double_jacobian_fold_4_adx};
pub use lookup_4::{lookup_row_4_avx2, select_4_adx};
