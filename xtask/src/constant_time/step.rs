//! Runs a program instruction by instruction on the real CPU and follows its secrets by [`Taint`]: for engines that valgrind can't
//! execute. The program's marks are valgrind's client requests (`arith::ct_check`), which are answered here as memcheck would.
//!
//! Only what is executed is looked at. Where no branch depends on a secret, other secrets execute the same instructions.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfo, InstructionInfoFactory, Register};
use nix::libc::user_regs_struct;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use super::taint::{Registers, Taint};

/// memcheck's requests and valgrind's own, as in `arith::ct_check`.
const MEMCHECK: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16;
const MAKE_MEM_UNDEFINED: u64 = MEMCHECK + 1;
const MAKE_MEM_DEFINED: u64 = MEMCHECK + 2;
const RUNNING_ON_VALGRIND: u64 = 0x1001;
const COUNT_ERRORS: u64 = 0x1201;
/// `xchg rbx, rbx`: behind four rotations of rdi, a request whose arguments rax points to.
const REQUEST: [u8; 3] = [0x48, 0x87, 0xDB];

impl Registers for user_regs_struct {
    fn value(&self, register: Register) -> Option<u64> {
        Some(match register {
            Register::RAX => self.rax,
            Register::RBX => self.rbx,
            Register::RCX => self.rcx,
            Register::RDX => self.rdx,
            Register::RSI => self.rsi,
            Register::RDI => self.rdi,
            Register::RBP => self.rbp,
            Register::RSP => self.rsp,
            Register::R8 => self.r8,
            Register::R9 => self.r9,
            Register::R10 => self.r10,
            Register::R11 => self.r11,
            Register::R12 => self.r12,
            Register::R13 => self.r13,
            Register::R14 => self.r14,
            Register::R15 => self.r15,
            Register::RIP => self.rip,
            Register::FS => self.fs_base,
            Register::GS => self.gs_base,
            Register::CS | Register::DS | Register::ES | Register::SS => 0,
            // Part of a register, or a vector of addresses.
            _ if register.is_gpr() => self.value(register.full_register())? & (u64::MAX >> (64 - 8 * register.size())),
            _ => return None,
        })
    }
}

/// What the program ended with, and what was seen.
pub(super) struct Traced {
    /// Its exit code.
    pub(super) code: i32,
    /// Instructions executed.
    pub(super) steps: u64,
    /// The marks.
    pub(super) taint: Taint,
    /// Where in the program's file its code begins to count: addresses are reported from there.
    pub(super) base: u64,
}

type Decoded = Rc<(Instruction, InstructionInfo, bool)>;

/// Does the system let a process trace its child? Some containers don't.
pub(super) fn is_permitted() -> bool {
    let Ok(mut child) = Command::new("sleep").arg("60").spawn() else { return false };
    let is_attached = ptrace::attach(Pid::from_raw(child.id() as i32)).is_ok();
    // A child that is traced and killed is reaped as any other.
    let _ = child.kill();
    let _ = child.wait();
    is_attached
}

/// Runs `program` with `words` to its end.
pub(super) fn run(program: &Path, words: &[&str]) -> Result<Traced, String> {
    let failed = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
    // The shell stops itself, is attached to, goes on, as its stop is kept from it, and becomes the program.
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -STOP $$; exec \"$@\"", "sh"]).arg(program).args(words).env("LD_BIND_NOW", "1");
    let child = shell.stdin(Stdio::null()).spawn().map_err(|error| failed("sh", &error))?;
    let pid = Pid::from_raw(child.id() as i32);
    ptrace::attach(pid).map_err(|error| failed("ptrace", &error))?;
    waitpid(pid, None).map_err(|error| failed("waitpid", &error))?;
    ptrace::setoptions(pid, ptrace::Options::PTRACE_O_TRACEEXEC | ptrace::Options::PTRACE_O_EXITKILL)
        .map_err(|error| failed("ptrace", &error))?;
    loop {
        ptrace::cont(pid, None).map_err(|error| failed("ptrace", &error))?;
        match waitpid(pid, None).map_err(|error| failed("waitpid", &error))? {
            WaitStatus::PtraceEvent(_, Signal::SIGTRAP, _) => break,
            WaitStatus::Exited(_, code) => return Err(format!("{}: exit code {code}", program.display())),
            _ => {}
        }
    }
    let memory = File::open(format!("/proc/{pid}/mem")).map_err(|error| failed("/proc", &error))?;
    let base = base(pid, program)?;
    let mut factory = InstructionInfoFactory::new();
    let mut known: HashMap<u64, Decoded> = HashMap::new();
    let (mut taint, mut steps, mut is_marked) = (Taint::default(), 0u64, false);
    let code = loop {
        let mut registers = ptrace::getregs(pid).map_err(|error| failed("ptrace", &error))?;
        let decoded = match known.get(&registers.rip) {
            Some(decoded) => decoded.clone(),
            None => {
                let mut bytes = [0; 15];
                let read = memory.read_at(&mut bytes, registers.rip).map_err(|error| failed("/proc", &error))?;
                let mut decoder = Decoder::with_ip(64, &bytes[..read], registers.rip, DecoderOptions::NONE);
                let instruction = decoder.decode();
                let info = factory.info(&instruction).clone();
                let decoded = Rc::new((instruction, info, bytes.starts_with(&REQUEST)));
                known.insert(registers.rip, decoded.clone());
                decoded
            }
        };
        let (instruction, info, is_request) = &*decoded;
        if *is_request {
            let mut arguments = [[0; 8]; 3];
            for (i, argument) in arguments.iter_mut().enumerate() {
                let at = registers.rax + 8 * i as u64;
                memory.read_exact_at(argument, at).map_err(|error| failed("/proc", &error))?;
            }
            let [code, address, len] = arguments.map(u64::from_le_bytes);
            registers.rdx = match code {
                RUNNING_ON_VALGRIND => 1,
                COUNT_ERRORS => taint.count,
                MAKE_MEM_UNDEFINED | MAKE_MEM_DEFINED => {
                    taint.mark(address, len, code == MAKE_MEM_UNDEFINED);
                    is_marked = true;
                    0
                }
                _ => 0,
            };
            ptrace::setregs(pid, registers).map_err(|error| failed("ptrace", &error))?;
        } else if is_marked {
            taint.step(instruction, info, &registers);
        }
        steps += 1;
        ptrace::step(pid, None).map_err(|error| failed("ptrace", &error))?;
        match waitpid(pid, None).map_err(|error| failed("waitpid", &error))? {
            WaitStatus::Exited(_, code) => break code,
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
            other => return Err(format!("{}: {other:?} after {steps} instructions", program.display())),
        }
    };
    Ok(Traced { code, steps, taint, base })
}

/// Where the program's file is mapped.
fn base(pid: Pid, program: &Path) -> Result<u64, String> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).map_err(|error| format!("/proc: {error}"))?;
    let name = program.to_string_lossy();
    let line = maps.lines().find(|line| line.ends_with(&*name));
    let start = line.and_then(|line| line.split('-').next());
    start.and_then(|start| u64::from_str_radix(start, 16).ok()).ok_or_else(|| format!("{name} is not mapped"))
}
