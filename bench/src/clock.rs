//! CPU time of this thread, in nanoseconds: what other processes take of the core is not counted.

use rustix::thread::CpuSet;
use rustix::time::{ClockId, clock_gettime};

/// `CLOCK_THREAD_CPUTIME_ID` now.
pub(crate) fn thread_cpu_ns() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Keeps this thread on the CPU it runs on, so that no round pays for a migration. Returns that CPU, or nothing where
/// the system does not allow it.
pub(crate) fn pin_to_current_cpu() -> Option<usize> {
    let cpu = rustix::thread::sched_getcpu();
    let mut set = CpuSet::new();
    set.set(cpu);
    rustix::thread::sched_setaffinity(None, &set).ok().map(|()| cpu)
}
