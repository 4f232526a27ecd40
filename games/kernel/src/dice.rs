//! Deterministic dice: every roll is determined by the seed and the roll's purpose.

use std::collections::VecDeque;

/// The purpose of a roll. Rolls for the same purpose always give the same result, so no player can
/// influence a roll by sending messages, reloading, or choosing when to be ready.
///
/// A game must name each roll uniquely: purpose, then turn, phase or decision, then object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    purpose: &'static str,
    at: u64,
    object: u64,
    nth: u32,
}

impl Draw {
    pub const fn new(purpose: &'static str) -> Self {
        assert!(!purpose.is_empty(), "a roll without a purpose would share its name with others");
        Self { purpose, at: 0, object: 0, nth: 0 }
    }

    #[must_use]
    pub const fn at(mut self, at: u64) -> Self {
        self.at = at;
        self
    }

    /// Sets the object that the roll is for.
    #[must_use]
    pub const fn of(mut self, object: u64) -> Self {
        self.object = object;
        self
    }

    /// Sets the index among several rolls for the same object, from 0.
    #[must_use]
    pub const fn nth(mut self, nth: u32) -> Self {
        self.nth = nth;
        self
    }

    pub fn purpose(&self) -> &'static str {
        self.purpose
    }

    /// Returns the name of the roll, which is hashed and shown in exports: `purpose/at/object/nth`.
    pub fn name(&self) -> String {
        debug_assert!(!self.purpose.contains('/'), "`/` separates the parts of the name");
        format!("{}/{}/{}/{}", self.purpose, self.at, self.object, self.nth)
    }
}

/// A rolled die, recorded in the journal as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    pub draw: Draw,
    pub sides: u32,
    pub value: u32,
    /// Whether the result is from a script instead of the seed.
    pub scripted: bool,
}

/// A scripted value that does not exist on the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusableRoll {
    pub value: u32,
    pub sides: u32,
    pub draw: Draw,
}

/// A game's dice: a secret seed, and in tests and sandboxes a script of results that takes
/// precedence.
///
/// A roll reads little-endian 32-bit numbers from the BLAKE3 output stream keyed by the seed over
/// the draw's name. It takes the first one below the largest multiple of the number of sides,
/// modulo that number, plus 1. Once the seed is revealed, anyone can check a roll with a standard
/// BLAKE3 tool.
///
/// ```
/// use heliopause_kernel::{Dice, Draw};
///
/// let draw = Draw::new("battle").at(3).of(9);
/// let mut dice = Dice::new([7; 32]).scripted([4]);
/// assert_eq!(dice.roll(draw, 6), 4, "the script goes before the seed");
/// let value = dice.roll(draw, 6);
/// assert_eq!(Dice::prove(&[7; 32], &draw.name(), 6), Some(value));
/// assert_eq!(dice.take_rolled().len(), 2, "the journal keeps every roll");
/// ```
#[derive(Clone)]
pub struct Dice {
    seed: [u8; 32],
    script: VecDeque<u32>,
    rolled: Vec<Roll>,
    unfit: Option<UnusableRoll>,
}

impl Dice {
    pub fn new(seed: [u8; 32]) -> Self {
        Self { seed, script: VecDeque::new(), rolled: Vec::new(), unfit: None }
    }

    /// Adds scripted results for the next rolls. Shuffles never use the script.
    #[must_use]
    pub fn scripted(mut self, script: impl IntoIterator<Item = u32>) -> Self {
        self.script.extend(script);
        self
    }

    pub fn script(&self) -> impl Iterator<Item = u32> {
        self.script.iter().copied()
    }

    pub fn d6(&mut self, draw: Draw) -> u8 {
        self.roll(draw, 6) as u8
    }

    /// Rolls a die with this number of sides. If the next scripted value does not exist on the die,
    /// skips that value and uses the seed. [`Dice::take_unusable`] reports the skipped value.
    ///
    /// # Panics
    /// If `sides` is 0.
    pub fn roll(&mut self, draw: Draw, sides: u32) -> u32 {
        assert!(sides > 0, "a die has sides");
        let next = self.script.pop_front();
        let script = next.filter(|value| (1..=sides).contains(value));
        if let (Some(value), None) = (next, script) {
            self.unfit.get_or_insert(UnusableRoll { value, sides, draw });
        }
        let value = match script {
            Some(scripted) => scripted,
            None => Stream::new(&self.seed, draw).below(sides) + 1,
        };
        assert!((1..=sides).contains(&value), "a die shows one of its sides");
        self.rolled.push(Roll { draw, sides, value, scripted: script.is_some() });
        value
    }

    pub fn shuffle<T>(&mut self, draw: Draw, items: &mut [T]) {
        assert!(u32::try_from(items.len()).is_ok(), "a shuffle can have at most 2^32 items");
        let mut stream = Stream::new(&self.seed, draw);
        for last in (1..items.len()).rev() {
            items.swap(last, stream.below(last as u32 + 1) as usize);
        }
    }

    /// Returns the result of a roll by its name, to verify a recorded roll without its game.
    /// Returns `None` if `sides` is 0.
    pub fn prove(seed: &[u8; 32], name: &str, sides: u32) -> Option<u32> {
        (sides > 0).then(|| Stream::named(seed, name.as_bytes()).below(sides) + 1)
    }

    /// Returns the first unusable scripted value since the last call, if there was one.
    pub fn take_unusable(&mut self) -> Option<UnusableRoll> {
        self.unfit.take()
    }

    pub fn rolls_made(&self) -> usize {
        self.rolled.len()
    }

    pub fn take_rolled(&mut self) -> Vec<Roll> {
        std::mem::take(&mut self.rolled)
    }

    /// Discards the recorded rolls. For look-ahead, whose rolls are not evidence.
    pub fn forget_rolled(&mut self) {
        self.rolled.clear();
    }
}

/// Hides the seed, because debug output may end up in a log.
impl std::fmt::Debug for Dice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dice").finish_non_exhaustive()
    }
}

struct Stream(blake3::OutputReader);

impl Stream {
    fn new(seed: &[u8; 32], draw: Draw) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(seed);
        hasher.update(draw.purpose.as_bytes());
        for number in [draw.at, draw.object, u64::from(draw.nth)] {
            hasher.update(b"/");
            let mut digits = [0; 20];
            hasher.update(decimal(number, &mut digits));
        }
        Self(hasher.finalize_xof())
    }

    fn named(seed: &[u8; 32], name: &[u8]) -> Self {
        Self(blake3::Hasher::new_keyed(seed).update(name).finalize_xof())
    }

    /// Returns a uniform number below the limit. Skips the highest numbers of the stream, which
    /// would favor small results.
    fn below(&mut self, limit: u32) -> u32 {
        assert!(limit > 0, "the limit must be at least 1");
        let usable = u32::MAX - (u32::MAX % limit + 1) % limit;
        loop {
            let mut bytes = [0; 4];
            self.0.fill(&mut bytes);
            let number = u32::from_le_bytes(bytes);
            if number <= usable {
                return number % limit;
            }
        }
    }
}

/// Writes a number in decimal without allocating, because look-ahead rolls millions of dice.
fn decimal(mut number: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[start..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_depends_on_its_purpose_and_not_on_time() {
        let mut one = Dice::new([7; 32]);
        let mut two = Dice::new([7; 32]);
        let battle = Draw::new("battle").at(3).of(9);
        let warp = Draw::new("warp").at(3).of(9);
        let first = (one.roll(battle, 1000), one.roll(warp, 1000));
        let second = (two.roll(warp, 1000), two.roll(battle, 1000));
        assert_eq!(first, (second.1, second.0));
        assert_ne!(Dice::new([8; 32]).roll(battle, 1_000_000), one.roll(battle, 1_000_000));
        assert_ne!(one.roll(battle.nth(1), 1_000_000), one.roll(battle, 1_000_000));
    }

    #[test]
    fn a_roll_can_be_checked_with_a_stock_tool() {
        let mut dice = Dice::new([1; 32]);
        let draw = Draw::new("battle").at(120).of(4).nth(2);
        assert_eq!((draw.purpose(), draw.name().as_str()), ("battle", "battle/120/4/2"));
        let hash = blake3::keyed_hash(&[1; 32], draw.name().as_bytes());
        let number = u32::from_le_bytes(hash.as_bytes()[..4].try_into().unwrap());
        assert_eq!(u32::from(dice.d6(draw)), number % 6 + 1);
        assert_eq!(Dice::prove(&[1; 32], &draw.name(), 6), Some(number % 6 + 1));
        assert_eq!(Dice::prove(&[1; 32], &draw.name(), 0), None);
    }

    #[test]
    fn rolls_use_the_script_first_and_shuffles_never_do() {
        let mut dice = Dice::new([0; 32]).scripted([4, 13, 0]);
        let mut items = [1, 2, 3, 4, 5, 6, 7, 8];
        dice.shuffle(Draw::new("markers"), &mut items);
        assert_eq!(dice.script().count(), 3);
        assert_eq!(dice.d6(Draw::new("a")), 4);
        assert_eq!(dice.take_unusable(), None);
        let by_seed = Dice::new([0; 32]).d6(Draw::new("b"));
        assert_eq!(dice.d6(Draw::new("b")), by_seed, "a die has no 13");
        assert_eq!(
            dice.d6(Draw::new("c")),
            Dice::new([0; 32]).d6(Draw::new("c")),
            "a die has no 0"
        );
        assert_eq!(
            dice.take_unusable(),
            Some(UnusableRoll { value: 13, sides: 6, draw: Draw::new("b") })
        );
        assert_eq!(dice.take_unusable(), None);
        let rolled = dice.take_rolled();
        assert_eq!(
            rolled.iter().map(|roll| roll.scripted).collect::<Vec<_>>(),
            [true, false, false]
        );
        assert!(dice.take_rolled().is_empty());
    }

    #[test]
    fn numbers_above_the_last_full_multiple_are_rejected() {
        for sides in [1, 6, 1 << 31, (1 << 31) + 1, 3_000_000_000, u32::MAX] {
            let multiple = (1_u64 << 32) / u64::from(sides) * u64::from(sides);
            for nth in 0..40 {
                let draw = Draw::new("wide").nth(nth);
                let mut stream = Stream::new(&[5; 32], draw).0;
                let usable = std::iter::repeat_with(|| {
                    let mut bytes = [0; 4];
                    stream.fill(&mut bytes);
                    u32::from_le_bytes(bytes)
                })
                .find(|number| u64::from(*number) < multiple);
                let value = Dice::new([5; 32]).roll(draw, sides);
                assert_eq!(Some(value), usable.map(|number| number % sides + 1), "{sides} sides");
            }
        }
    }

    #[test]
    fn shuffles_are_determined_by_the_seed_and_uniform() {
        let shuffled = |nth| {
            let mut items = ['a', 'b', 'c'];
            Dice::new([9; 32]).shuffle(Draw::new("markers").nth(nth), &mut items);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        let mut counts = std::collections::BTreeMap::new();
        for nth in 0..6_000 {
            *counts.entry(shuffled(nth)).or_insert(0) += 1;
        }
        // Five standard deviations around 1,000.
        assert!(counts.len() == 6 && counts.values().all(|count| (855..1_145).contains(count)));
    }

    #[test]
    fn rolls_are_recorded_until_taken_or_discarded() {
        let mut dice = Dice::new([2; 32]);
        for made in 1..=3 {
            dice.d6(Draw::new("look-ahead").nth(made));
            assert_eq!(dice.rolls_made(), made as usize);
        }
        dice.forget_rolled();
        assert_eq!((dice.rolls_made(), dice.take_rolled().len()), (0, 0));
        dice.d6(Draw::new("battle"));
        assert_eq!((dice.take_rolled().len(), dice.rolls_made()), (1, 0));
    }

    #[test]
    fn debug_output_hides_the_seed() {
        let dice = Dice::new([77; 32]).scripted([78]);
        assert_eq!(format!("{dice:?}"), "Dice { .. }");
    }

    #[test]
    fn rolls_are_uniform() {
        let mut dice = Dice::new([3; 32]);
        let mut counts = [0_u32; 6];
        for nth in 0..60_000 {
            counts[usize::from(dice.d6(Draw::new("fair").nth(nth))) - 1] += 1;
        }
        // Five standard deviations around 10,000.
        assert!(counts.iter().all(|&count| (9_540..10_460).contains(&count)), "{counts:?}");
    }
}
