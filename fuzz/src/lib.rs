//! Cuts a fuzzer's bytes into inputs of fixed size.

/// Takes N bytes off the front of `data`; zeros where it ends.
pub fn take<const N: usize>(data: &mut &[u8]) -> [u8; N] {
    let mut out = [0; N];
    let length = N.min(data.len());
    out[..length].copy_from_slice(&data[..length]);
    *data = &data[length..];
    out
}

/// A secret in 1..n: the bytes taken if they are one, else the number 1.
pub fn take_secret(data: &mut &[u8]) -> [u8; 32] {
    let bytes = take(data);
    if testkit::libsecp256k1::is_secret(&bytes) {
        return bytes;
    }
    let mut one = [0; 32];
    one[31] = 1;
    one
}
