//! Which registers and which bytes of memory depend on a secret, instruction by instruction.
//!
//! A move copies the marks byte by byte; any other instruction marks all that it writes if anything that it reads is marked, flags
//! included, so that marks spread too far rather than not far enough. What it reads and writes is what `iced-x86` says.
//! Three things are reported: a branch by a marked flag or to a marked place, an address from a marked register, and a marked
//! operand of an instruction outside the [`is_allowed`] list.

use std::collections::{BTreeSet, HashMap};

use iced_x86::{FlowControl, Instruction, InstructionInfo, Mnemonic, OpAccess, OpKind, Register};

/// The bytes of a register or an operand, the lowest in bit 0.
type Bytes = u64;

/// The marks of `len` bytes.
fn all(len: usize) -> Bytes {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}

/// The program's registers as the tracer sees them, for addresses.
pub(super) trait Registers {
    /// A general-purpose register, the instruction pointer or a segment's base.
    fn value(&self, register: Register) -> Option<u64>;
}

/// Marks, and what was seen.
#[derive(Default)]
pub(super) struct Taint {
    general: [Bytes; 16],
    vectors: [Bytes; 32],
    masks: [Bytes; 8],
    /// [`iced_x86::RflagsBits`].
    flags: u32,
    /// Pages of 4096 bytes, a bit each.
    memory: HashMap<u64, Box<[u64; 64]>>,
    /// The instructions that worked on marked operands.
    pub(super) seen: BTreeSet<String>,
    /// Reports, each place once.
    pub(super) reports: BTreeSet<(u64, String)>,
    /// How many there were.
    pub(super) count: u64,
}

impl Taint {
    /// Marks memory, or takes its marks away.
    pub(super) fn mark(&mut self, address: u64, len: u64, is_secret: bool) {
        for at in address..address.saturating_add(len) {
            self.set_byte(at, is_secret);
        }
    }

    fn set_byte(&mut self, at: u64, is_secret: bool) {
        if !is_secret && !self.memory.contains_key(&(at >> 12)) {
            return;
        }
        let page = self.memory.entry(at >> 12).or_insert_with(|| Box::new([0; 64]));
        let (word, bit) = ((at >> 6 & 63) as usize, 1 << (at & 63));
        if is_secret { page[word] |= bit } else { page[word] &= !bit }
    }

    fn load(&self, address: u64, len: usize) -> Bytes {
        let byte = |at: u64| {
            self.memory.get(&(at >> 12)).is_some_and(|page| page[(at >> 6 & 63) as usize] >> (at & 63) & 1 == 1)
        };
        // Longer operands (the state that xsave writes) hold nothing that is looked at.
        (0..len.min(64)).fold(0, |bytes, i| bytes | u64::from(byte(address.wrapping_add(i as u64))) << i)
    }

    fn store(&mut self, address: u64, len: usize, bytes: Bytes) {
        for i in 0..len {
            self.set_byte(address.wrapping_add(i as u64), bytes >> i.min(63) & 1 == 1);
        }
    }

    /// The register's marks, its lowest byte in bit 0.
    fn get(&self, register: Register) -> Bytes {
        match slot(register) {
            Some((Kind::General, number, first)) => self.general[number] >> first & all(register.size()),
            Some((Kind::Vector, number, _)) => self.vectors[number] & all(register.size()),
            Some((Kind::Mask, number, _)) => self.masks[number],
            None => 0,
        }
    }

    /// Sets them; what lies above is cleared where the instruction clears it.
    fn set(&mut self, register: Register, bytes: Bytes, clears_above: bool) {
        let Some((kind, number, first)) = slot(register) else { return };
        let own = all(register.size());
        match kind {
            Kind::General if register.size() >= 4 => self.general[number] = bytes & own,
            Kind::General => self.general[number] = self.general[number] & !(own << first) | (bytes & own) << first,
            Kind::Vector if clears_above => self.vectors[number] = bytes & own,
            Kind::Vector => self.vectors[number] = self.vectors[number] & !own | bytes & own,
            Kind::Mask => self.masks[number] = bytes & own,
        }
    }

    /// Takes one instruction into account; `registers` are those before it.
    pub(super) fn step(&mut self, instruction: &Instruction, info: &InstructionInfo, registers: &dyn Registers) {
        let mnemonic = instruction.mnemonic();
        if matches!(mnemonic, Mnemonic::Vzeroupper | Mnemonic::Vzeroall) {
            let kept = if mnemonic == Mnemonic::Vzeroall { 0 } else { all(16) };
            self.vectors.iter_mut().take(16).for_each(|bytes| *bytes &= kept);
            return;
        }
        let address = |operand: &iced_x86::UsedMemory| {
            operand.virtual_address(0, |register, _, _| registers.value(register)).unwrap_or(0)
        };
        let is_vex = instruction.op0_kind() == OpKind::Register && !is_legacy(instruction);

        // What is read.
        let mut marked = self.flags & instruction.rflags_read() != 0;
        for used in info.used_registers() {
            marked |= reads(used.access()) && self.get(used.register()) != 0;
        }
        for operand in info.used_memory() {
            let parts = [operand.base(), operand.index()].into_iter().filter(|part| *part != Register::None);
            if parts.into_iter().any(|part| self.get(part) != 0)
                && mnemonic != Mnemonic::Lea
                && mnemonic != Mnemonic::Nop
            {
                self.report(instruction, "an address depends on a secret");
            }
            marked |= reads(operand.access()) && self.load(address(operand), operand.memory_size().size()) != 0;
        }
        if is_zeroing(instruction) {
            marked = self.flags & instruction.rflags_read() != 0; // sbb a, a: the carry alone
        }
        match instruction.flow_control() {
            FlowControl::ConditionalBranch if marked || self.flags & instruction.rflags_read() != 0 => {
                self.report(instruction, "a branch depends on a secret");
            }
            FlowControl::IndirectBranch | FlowControl::IndirectCall if marked => {
                self.report(instruction, "a jump's target depends on a secret");
            }
            FlowControl::Next if marked => {
                let name = format!("{mnemonic:?}").to_lowercase();
                if !is_allowed(&name) {
                    self.report(instruction, &format!("{name} is not on the list of instructions for secrets"));
                }
                self.seen.insert(name);
            }
            _ => {}
        }

        // What is written: a move byte by byte.
        if let Some(bytes) = self.moved(instruction, info, address) {
            match instruction.op0_kind() {
                OpKind::Register if mnemonic != Mnemonic::Push => {
                    self.set(instruction.op0_register(), bytes, is_vex || is_extending(mnemonic))
                }
                _ => {
                    for operand in info.used_memory().iter().filter(|operand| writes(operand.access())) {
                        self.store(address(operand), operand.memory_size().size(), bytes);
                    }
                }
            }
            return;
        }
        for used in info.used_registers().iter().filter(|used| writes(used.access())) {
            let (register, is_certain) =
                (used.register(), used.access() == OpAccess::Write || used.access() == OpAccess::ReadWrite);
            let is_stack = register.full_register() == Register::RSP; // push, pop, call, ret
            if !is_stack && (marked || is_certain) {
                self.set(register, if marked { u64::MAX } else { 0 }, is_vex);
            }
        }
        for operand in info.used_memory().iter().filter(|operand| writes(operand.access())) {
            // A repeated string instruction is stepped through: each step writes.
            let is_certain = matches!(operand.access(), OpAccess::Write | OpAccess::ReadWrite)
                || instruction.is_string_instruction();
            if marked || is_certain {
                self.store(address(operand), operand.memory_size().size(), if marked { u64::MAX } else { 0 });
            }
        }
        self.flags &= !instruction.rflags_modified();
        if marked {
            self.flags |= instruction.rflags_written();
        }
    }

    /// The marks that a move carries; None if the instruction is none.
    fn moved(
        &self,
        instruction: &Instruction,
        info: &InstructionInfo,
        address: impl Fn(&iced_x86::UsedMemory) -> u64,
    ) -> Option<Bytes> {
        if !is_move(instruction.mnemonic()) || instruction.has_op_mask() {
            return None;
        }
        let from = if instruction.op_count() == 1 { 0 } else { 1 };
        match instruction.mnemonic() {
            Mnemonic::Pop => {
                let operand = info.used_memory().iter().find(|operand| reads(operand.access()))?;
                Some(self.load(address(operand), operand.memory_size().size()))
            }
            _ if instruction.op_kind(from) == OpKind::Register => Some(self.get(instruction.op_register(from))),
            _ if instruction.op_kind(from) == OpKind::Memory => {
                let operand = info.used_memory().iter().find(|operand| reads(operand.access()))?;
                Some(self.load(address(operand), operand.memory_size().size()))
            }
            _ => Some(0), // a constant
        }
    }

    fn report(&mut self, instruction: &Instruction, what: &str) {
        self.count += 1;
        self.reports.insert((instruction.ip(), what.to_owned()));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    General,
    Vector,
    Mask,
}

/// Where a register's marks are: its file, its number, and the byte at which it begins.
fn slot(register: Register) -> Option<(Kind, usize, u32)> {
    if register.is_gpr() {
        let is_high = matches!(register, Register::AH | Register::BH | Register::CH | Register::DH);
        Some((Kind::General, register.full_register().number(), u32::from(is_high)))
    } else if register.is_vector_register() {
        Some((Kind::Vector, register.full_register().number(), 0))
    } else if register.is_k() {
        Some((Kind::Mask, register.number(), 0))
    } else {
        None
    }
}

fn reads(access: OpAccess) -> bool {
    matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

fn writes(access: OpAccess) -> bool {
    matches!(access, OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

/// An SSE instruction leaves the upper part of its register as it is.
fn is_legacy(instruction: &Instruction) -> bool {
    instruction.encoding() == iced_x86::EncodingKind::Legacy
}

/// a − a and its like are 0 whatever a is.
fn is_zeroing(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    let first = match instruction.mnemonic() {
        M::Xor | M::Sub | M::Sbb | M::Pxor | M::Xorps | M::Xorpd => 0,
        M::Vpxor | M::Vpxord | M::Vpxorq | M::Vxorps | M::Vxorpd | M::Kxorb | M::Kxorw | M::Kxord | M::Kxorq => 1,
        _ => return false,
    };
    let is_register = |operand| instruction.op_kind(operand) == OpKind::Register;
    is_register(first)
        && is_register(first + 1)
        && instruction.op_register(first) == instruction.op_register(first + 1)
        && !instruction.has_op_mask()
}

fn is_move(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    is_extending(mnemonic)
        || matches!(
            mnemonic,
            M::Mov | M::Push | M::Pop | M::Movaps | M::Movups | M::Movapd | M::Movupd | M::Movdqa | M::Movdqu
        )
        || matches!(mnemonic, M::Vmovaps | M::Vmovups | M::Vmovapd | M::Vmovupd | M::Vmovdqa | M::Vmovdqu)
        || matches!(mnemonic, M::Vmovdqa32 | M::Vmovdqa64 | M::Vmovdqu8 | M::Vmovdqu16 | M::Vmovdqu32 | M::Vmovdqu64)
}

/// Moves that fill the rest of their register with zeros.
fn is_extending(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(mnemonic, M::Movzx | M::Movd | M::Movq | M::Vmovd | M::Vmovq)
        || matches!(mnemonic, M::Kmovb | M::Kmovw | M::Kmovd | M::Kmovq)
}

/// Instructions whose time does not depend on their operands, on the CPUs that the engines are for (uops.info; AMD's and Intel's lists
/// of such instructions). Not among them: divisions, pdep and pext, gathers and scatters, compressions, floating point.
fn is_allowed(name: &str) -> bool {
    const SCALAR: &str = "mov movzx movsx movsxd movbe bswap push pop lea xchg add adc adcx adox sub sbb neg not and andn or xor \
        movsb movsd movsq stosb stosd stosq inc dec cmp test shl shr sar rol ror rorx shlx shrx sarx shld shrd imul mul mulx bt popcnt tzcnt lzcnt bsf bsr bzhi nop cdq cqo";
    const SHA: &str = "sha256rnds2 sha256msg1 sha256msg2";
    const VECTOR: &[&str] = &[
        "movaps",
        "movups",
        "movapd",
        "movupd",
        "movdqa",
        "movdqu",
        "movd",
        "movq",
        "movhps",
        "movlps",
        "movhlps",
        "movlhps",
        "lddqu",
        "padd",
        "psub",
        "pmul",
        "pmadd52",
        "pand",
        "por",
        "pxor",
        "pternlog",
        "psll",
        "psrl",
        "psra",
        "prol",
        "pror",
        "pshuf",
        "pshld",
        "punpck",
        "unpck",
        "perm",
        "pblend",
        "blend",
        "palignr",
        "align",
        "pbroadcast",
        "broadcast",
        "insert",
        "extract",
        "pinsr",
        "pextr",
        "pack",
        "pmov",
        "movmsk",
        "pcmp",
        "ptest",
        "pabs",
        "pmin",
        "pmax",
        "shuf",
        "and",
        "or",
        "xor",
    ];
    const MASK: &[&str] = &["kmov", "kand", "kor", "kxor", "kxnor", "knot", "kshift", "kadd", "kunpck", "ktest"];
    let is_conditional = ["cmov", "set"].iter().any(|first| name.starts_with(first));
    let bare = name.strip_prefix('v').unwrap_or(name);
    SCALAR.split_whitespace().any(|word| word == name)
        || SHA.split(' ').any(|word| word == name)
        || is_conditional
        || VECTOR.iter().any(|first| bare.starts_with(first))
        || MASK.iter().any(|first| name.starts_with(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory};

    /// Registers that all hold this; segments begin at 0.
    struct Holding(u64);

    impl Registers for Holding {
        fn value(&self, register: Register) -> Option<u64> {
            Some(if register.is_segment_register() { 0 } else { self.0 })
        }
    }

    /// What is reported of this code, with 8 secret bytes at 0x1000 and every register pointing there.
    fn reports(code: &[u8]) -> Vec<String> {
        let mut taint = Taint::default();
        taint.mark(0x1000, 8, true);
        let mut factory = InstructionInfoFactory::new();
        for instruction in Decoder::with_ip(64, code, 0, DecoderOptions::NONE).iter() {
            taint.step(&instruction, factory.info(&instruction), &Holding(0x1000));
        }
        taint.reports.into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn secrets_are_followed() {
        const LOAD: [u8; 3] = [0x48, 0x8B, 0x03]; // mov rax, [rbx]
        let after_load = |code: &[u8]| reports(&[&LOAD[..], code].concat());
        let branch = ["a branch depends on a secret"];
        assert_eq!(after_load(&[0x48, 0x85, 0xC0, 0x75, 0]), branch); // test rax, rax; jne
        assert_eq!(after_load(&[0x48, 0x89, 0xC1, 0x48, 0x85, 0xC9, 0x75, 0]), branch); // mov rcx, rax; test rcx, rcx; jne
        assert_eq!(
            after_load(&[0x62, 0xF1, 0xFE, 0x48, 0x6F, 0x0B, 0xC5, 0xF9, 0x7E, 0xC8, 0x85, 0xC0, 0x75, 0]),
            branch
        ); // by a vector
        assert_eq!(after_load(&[0x48, 0x8B, 0x14, 0x01]), ["an address depends on a secret"]); // mov rdx, [rcx + rax]
        assert_eq!(after_load(&[0xFF, 0xE0]), ["a jump's target depends on a secret"]); // jmp rax
        assert_eq!(after_load(&[0x48, 0xF7, 0xF1]), ["div is not on the list of instructions for secrets"]); // div rcx
    }

    #[test]
    fn what_is_public_stays_so() {
        let nothing: [&str; 0] = [];
        // mov rax, [rbx]; mov rcx, [rbx + 64]; test rcx, rcx; jne
        assert_eq!(reports(&[0x48, 0x8B, 0x03, 0x48, 0x8B, 0x4B, 0x40, 0x48, 0x85, 0xC9, 0x75, 0]), nothing);
        // mov rax, [rbx]; xor eax, eax; test rax, rax; jne
        assert_eq!(reports(&[0x48, 0x8B, 0x03, 0x31, 0xC0, 0x48, 0x85, 0xC0, 0x75, 0]), nothing);
        // mov rax, [rbx]; cmp rax, rcx; cmove rdx, rsi: the result is secret, nothing leaks
        assert_eq!(reports(&[0x48, 0x8B, 0x03, 0x48, 0x39, 0xC8, 0x48, 0x0F, 0x44, 0xD6]), nothing);
    }
}
