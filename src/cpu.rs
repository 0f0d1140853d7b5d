//! Instruction levels: one portable binary that uses BMI2 where it finds it, and of BMI2 what is
//! fast there.
//!
//! [`run`] looks once where a block of games begins; everything below is monomorphised for the
//! level that was found, so that the inner loop does not call through a pointer. Results are the
//! same at every level.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::error::InputError;

/// A level by its name, from the one that every CPU has to the one that asks for most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LevelId {
    /// Nothing but what every CPU has.
    Portable,
    /// BMI1, BMI2, LZCNT and POPCNT of x86-64, without PDEP, which some CPUs have as slow microcode.
    Bmi2,
    /// All of these, PDEP included.
    Bmi2Pdep,
}

impl LevelId {
    /// All levels.
    pub const ALL: [LevelId; 3] = [LevelId::Portable, LevelId::Bmi2, LevelId::Bmi2Pdep];

    /// The name in manifests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            LevelId::Portable => "portable",
            LevelId::Bmi2 => "bmi2",
            LevelId::Bmi2Pdep => "bmi2-pdep",
        }
    }

    /// The levels that this CPU can play at, fast or not.
    pub fn present() -> &'static [LevelId] {
        if has_bmi2() { &Self::ALL } else { &Self::ALL[..1] }
    }

    /// The fastest level of this CPU.
    fn fastest() -> LevelId {
        match (has_bmi2(), has_fast_pdep()) {
            (false, _) => LevelId::Portable,
            (true, false) => LevelId::Bmi2,
            (true, true) => LevelId::Bmi2Pdep,
        }
    }
}

impl fmt::Display for LevelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What [`level`] gives, as its place in [`LevelId::ALL`]; [`UNSET`] before anybody asked.
static LEVEL: AtomicU8 = AtomicU8::new(UNSET);
const UNSET: u8 = u8::MAX;

/// The level that [`run`] plays at: the fastest that this CPU has, where [`set_level`] did not say
/// otherwise.
#[inline]
pub fn level() -> LevelId {
    match LEVEL.load(Ordering::Relaxed) {
        UNSET => {
            let fastest = LevelId::fastest();
            // Where another thread set one in between, that one holds.
            let _ =
                LEVEL.compare_exchange(UNSET, fastest as u8, Ordering::Relaxed, Ordering::Relaxed);
            level()
        }
        place => LevelId::ALL[usize::from(place) % LevelId::ALL.len()],
    }
}

/// Plays at this level from now on, in all threads: to measure and to test. What is played is the
/// same at every level.
///
/// # Errors
/// Where this CPU has not the instructions.
pub fn set_level(level: LevelId) -> Result<(), InputError> {
    let present = LevelId::present();
    if !present.contains(&level) {
        let names: Vec<_> = present.iter().map(|level| format!("`{level}`")).collect();
        let message = format!("this CPU has {}", names.join(", "));
        return Err(InputError::new("level", level, message));
    }
    LEVEL.store(level as u8, Ordering::Relaxed);
    Ok(())
}

/// An instruction level. Copies are tokens: who holds one may use what it stands for.
pub trait Level: Copy {
    /// Whether a selection takes no longer than clearing a few bits.
    const SELECTS_AT_ONCE: bool;

    /// The position of the `k`-th lowest set bit of `mask` (`k` from 0, below the number of bits).
    fn select(self, mask: u64, k: u32) -> u32;

    /// Does the work of a kernel at this level, by a call: for large work that is asked for in many
    /// places, so that it is compiled once for each level.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;
}

/// Selects by clearing the bits below: 1, 2 and 4 of them as the binary digits of `k` say, which
/// takes the same time for every `k` below 8 and has no branch to guess (on a Zen 4, hands of 2 to
/// 7: 1.9 ns; a loop over `k` 7.6 ns, counting bits in bytes 5.8 ns, halving by bit counts 6.3 ns,
/// PDEP 0.5 ns).
#[inline(always)]
fn select_by_clearing(mut mask: u64, mut k: u32) -> u32 {
    let cleared = |mask: u64| mask & mask.wrapping_sub(1);
    while k >= 8 {
        for _ in 0..8 {
            mask = cleared(mask);
        }
        k -= 8;
    }
    let one = cleared(mask);
    mask = if k & 1 != 0 { one } else { mask };
    let two = cleared(cleared(mask));
    mask = if k & 2 != 0 { two } else { mask };
    let four = cleared(cleared(cleared(cleared(mask))));
    mask = if k & 4 != 0 { four } else { mask };
    mask.trailing_zeros()
}

/// Nothing but what every CPU has.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Level for Portable {
    const SELECTS_AT_ONCE: bool = false;

    #[inline(always)]
    fn select(self, mask: u64, k: u32) -> u32 {
        select_by_clearing(mask, k)
    }

    #[inline(never)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

/// x86-64 with BMI1, BMI2, LZCNT and POPCNT, which selects by PDEP or without. Exists only where the
/// CPU was seen to have them. It is a type for each of both: to ask at each selection costs random
/// self-play 8 % more instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Bmi2<const PDEP: bool>(());

#[cfg(target_arch = "x86_64")]
impl<const PDEP: bool> Bmi2<PDEP> {
    /// The token, where this CPU has the instructions.
    #[inline]
    fn detect() -> Option<Self> {
        has_bmi2().then_some(Bmi2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl<const PDEP: bool> Level for Bmi2<PDEP> {
    const SELECTS_AT_ONCE: bool = PDEP;

    #[inline(always)]
    fn select(self, mask: u64, k: u32) -> u32 {
        if !PDEP {
            return select_by_clearing(mask, k);
        }
        // SAFETY: a `Bmi2` exists only where BMI2 was detected. Measured: depositing the k-th bit
        // makes random self-play about a seventh faster than clearing bits.
        unsafe { core::arch::x86_64::_pdep_u64(1 << k, mask) }.trailing_zeros()
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: a `Bmi2` exists only where the level was detected.
        unsafe { with_bmi2(kernel, self) }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn with_bmi2<K: Kernel, const PDEP: bool>(kernel: K, level: Bmi2<PDEP>) -> K::Output {
    kernel.run(level)
}

/// Work that is monomorphised for each instruction level.
pub trait Kernel {
    /// What the work gives back.
    type Output;
    /// Does the work. Implementations are `#[inline(always)]`, as is what they call in their inner
    /// loops, so that all of it is compiled for the level.
    fn run<L: Level>(self, level: L) -> Self::Output;
}

/// Runs a kernel at the [`level`] that is played at.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    match level() {
        LevelId::Portable => {}
        LevelId::Bmi2 => {
            if let Some(level) = Bmi2::<false>::detect() {
                return level.call(kernel);
            }
        }
        LevelId::Bmi2Pdep => {
            if let Some(level) = Bmi2::<true>::detect() {
                return level.call(kernel);
            }
        }
    }
    kernel.run(Portable)
}

/// Whether this CPU has BMI1, BMI2, LZCNT and POPCNT.
#[inline]
fn has_bmi2() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Whether PDEP is fast on this CPU.
fn has_fast_pdep() -> bool {
    #[cfg(target_arch = "x86_64")]
    let is_fast = {
        use core::arch::x86_64::__cpuid;
        // The vendor's twelve letters stand in EBX, EDX and ECX, the signature in EAX.
        let vendor = __cpuid(0);
        let letters = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        vendor.eax >= 1 && is_pdep_fast(letters.as_flattened(), family(__cpuid(1).eax))
    };
    #[cfg(not(target_arch = "x86_64"))]
    let is_fast = false;
    is_fast
}

/// The family in a CPU's signature (CPUID function 1, EAX): bits 8 to 11, to which bits 20 to 27 are
/// added where these are 15.
#[cfg(any(target_arch = "x86_64", test))]
fn family(signature: u32) -> u32 {
    match signature >> 8 & 0xf {
        0xf => 0xf + (signature >> 20 & 0xff),
        base => base,
    }
}

/// Whether PDEP is one fast instruction on a CPU that has it, by its vendor and family, also where a
/// virtual machine tells them.
///
/// Sources: Agner Fog, "Instruction tables" (agner.org/optimize), and uops.info, `PDEP r64,r64,r64`:
/// 3 cycles on Intel since Haswell and on AMD since Zen 3 (family 19h); on AMD before (Excavator 15h,
/// Zen 1 and 2 17h) microcode of 18 cycles and more, by the bits that are set. Hygon's family 18h is
/// Zen 1. Of all others nothing is known, and where the guess is wrong the slow one costs less.
#[cfg(any(target_arch = "x86_64", test))]
fn is_pdep_fast(vendor: &[u8], family: u32) -> bool {
    match vendor {
        b"GenuineIntel" => true,
        b"AuthenticAMD" => family >= 0x19,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_select_alike() {
        let mut rng = crate::rng::Key::root(1).rng();
        for _ in 0..10_000 {
            let mask = rand::Rng::next_u64(&mut rng) & rand::Rng::next_u64(&mut rng) | 1;
            let bits: Vec<u32> = (0..64).filter(|bit| mask >> bit & 1 == 1).collect();
            for (k, &bit) in bits.iter().enumerate() {
                assert_eq!(Portable.select(mask, k as u32), bit);
                #[cfg(target_arch = "x86_64")]
                if let (Some(bmi2), Some(pdep)) = (Bmi2::<false>::detect(), Bmi2::<true>::detect())
                {
                    assert_eq!(bmi2.select(mask, k as u32), bit);
                    assert_eq!(pdep.select(mask, k as u32), bit);
                }
            }
        }
    }

    #[test]
    fn pdep_is_used_where_it_is_known_to_be_fast() {
        for (vendor, signature, fast, name) in [
            ("AuthenticAMD", 0x0066_0f51, false, "Excavator, family 15h"),
            ("AuthenticAMD", 0x0080_0f12, false, "EPYC 7001, Zen 1"),
            ("AuthenticAMD", 0x0080_0f82, false, "Ryzen 2700X, Zen+"),
            ("AuthenticAMD", 0x0083_0f10, false, "EPYC 7002, Zen 2"),
            ("AuthenticAMD", 0x00a0_0f11, true, "EPYC 7003, Zen 3"),
            ("AuthenticAMD", 0x00a1_0f11, true, "EPYC 9004, Zen 4"),
            ("AuthenticAMD", 0x00b4_0f40, true, "Ryzen 9950X, Zen 5"),
            ("AuthenticAMD", 0x0000_0f61, false, "a virtual machine's `qemu64` with BMI2"),
            ("HygonGenuine", 0x0090_0f02, false, "Dhyana, family 18h"),
            ("GenuineIntel", 0x0003_06c3, true, "Haswell"),
            ("GenuineIntel", 0x0005_0654, true, "Skylake-SP"),
            ("GenuineIntel", 0x0008_06f8, true, "Sapphire Rapids"),
            ("  Shanghai  ", 0x0007_06b0, false, "Zhaoxin"),
            ("CentaurHauls", 0x0006_0fb1, false, "Centaur"),
            ("VirtualApple", 0x0006_0fb1, false, "an emulator"),
            ("", 0, false, "no vendor"),
        ] {
            assert_eq!(is_pdep_fast(vendor.as_bytes(), family(signature)), fast, "{name}");
        }
        assert_eq!(family(0x0080_0f12), 0x17);
        assert_eq!(family(0x0003_06c3), 6);
    }

    #[test]
    fn the_fastest_level_is_one_that_the_cpu_has() {
        assert!(LevelId::present().contains(&LevelId::fastest()));
    }
}
