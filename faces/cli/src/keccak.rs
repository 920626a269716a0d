//! Keccak-256 of many messages: eight at a time where the CPU has AVX-512, by the crate of Ethereum's types where not.

use alloy_primitives::keccak256;

#[cfg(target_arch = "x86_64")]
mod lanes_8;

/// Appends the digest of each message, in order.
pub fn keccak256_each(messages: &[&[u8]], digests: &mut Vec<[u8; 32]>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V4::try_new() {
        let start = digests.len();
        digests.resize(start + messages.len(), [0; 32]);
        lanes_8::keccak256_each(simd, messages, digests.get_mut(start..).unwrap_or_default());
        return;
    }
    digests.extend(messages.iter().map(|message| keccak256(message).0));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths around the edges of blocks, in every number and order.
    #[test]
    fn same_as_one_by_one() {
        let bytes: Vec<u8> = (0..2000u32).map(|i| (i * i % 251) as u8).collect();
        let lengths = [0, 1, 7, 8, 134, 135, 136, 137, 271, 272, 273, 64, 64, 64, 1999, 408, 300, 300, 136, 0];
        for count in 0..40 {
            let message = |i: usize| bytes.get(i..i + lengths[(i * 7 + count) % lengths.len()]).unwrap_or_default();
            let messages: Vec<&[u8]> = (0..count).map(message).collect();
            let mut digests = vec![[9; 32]];
            keccak256_each(&messages, &mut digests);
            let alone = messages.iter().map(|message| keccak256(message).0);
            assert!(digests.iter().skip(1).copied().eq(alone), "{count}");
            assert_eq!((digests.len(), digests[0]), (count + 1, [9; 32]));
        }
    }
}
