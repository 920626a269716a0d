//! Exit codes.

/// Everything holds.
pub const ALL_VALID: u8 = 0;
/// Some row, value or known answer does not hold.
pub const SOME_NOT_VALID: u8 = 1;
/// Unreadable input or bad usage.
pub const UNREADABLE: u8 = 2;
/// Ctrl-C.
pub const INTERRUPTED: u8 = 130;
/// The reader of our output went away: 128 + SIGPIPE, as of a program that the signal ends.
pub const CLOSED_PIPE: u8 = 141;
