//! Choices that are read off bytes: a fuzzer changes the bytes and so the choices.

/// Bytes that are used up choice by choice. When none are left, every choice is the first.
pub struct Source<'a> {
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    /// Choices by these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Whether no bytes are left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        first
    }

    /// Whether the next byte says yes.
    pub fn yes(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// A number of two bytes.
    pub fn pair(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// A number of eight bytes.
    pub fn long(&mut self) -> u64 {
        (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    /// A number below a limit, from 0; 0 if the limit is.
    pub fn below(&mut self, limit: usize) -> usize {
        match limit {
            0 | 1 => 0,
            2..=256 => usize::from(self.byte()) % limit,
            _ => usize::from(self.pair()) % limit,
        }
    }

    /// One of some items; none if there are none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// Up to so many bytes.
    pub fn take(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(most.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// A number as a game's own chances want them: mixed, and still decided by one byte or two.
    pub fn chance(&mut self) -> u64 {
        let mut mixed = u64::from(self.pair()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 31)
    }
}

/// Endless numbers from one.
pub struct Chance(pub u64);

impl Chance {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit; 0 if the limit is.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.draw() % (limit.max(1) as u64)) as usize
    }
}
