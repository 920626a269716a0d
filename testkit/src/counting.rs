//! The system's allocator, counting what each thread does: a thread of its own, such as the test harness', allocates when it likes.
//!
//! A test binary takes it by `#[global_allocator] static COUNTING: Counting = Counting;`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

/// The allocator.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Negative where a thread frees what another one took.
    static IN_USE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        IN_USE.set(IN_USE.get() + layout.size() as isize);
        PEAK.set(PEAK.get().max(IN_USE.get()));
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.set(IN_USE.get() - layout.size() as isize);
        // SAFETY: the caller keeps `dealloc`'s contract, and the memory is the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How often the operation allocates, in this thread.
pub fn allocations<T>(operation: impl FnOnce() -> T) -> usize {
    let before = ALLOCATIONS.get();
    black_box(operation());
    ALLOCATIONS.get() - before
}

/// The most bytes that this thread has in use during the operation, beyond those before it.
pub fn peak_bytes<T>(operation: impl FnOnce() -> T) -> usize {
    let before = IN_USE.get();
    PEAK.set(before);
    black_box(operation());
    (PEAK.get() - before) as usize
}
