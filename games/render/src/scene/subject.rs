//! Places and pieces as the files of symbols describe them.

use std::collections::HashMap;

use super::symbols::piece_size;
use super::{SceneArea, ScenePiece, ScenePlace};

/// The lines of each symbol. Each has the states in which it is drawn; `!` means all other states.
pub(super) type Symbols<T> = HashMap<&'static str, Vec<(Vec<&'static str>, T)>>;

/// Reads a file of symbols.
pub(super) fn read<T: Clone>(file: &'static str, line: impl Fn(&'static str) -> T) -> Symbols<T> {
    let mut symbols: Symbols<T> = HashMap::new();
    let mut names = "";
    for text in file.lines().filter(|text| !text.is_empty() && !text.starts_with('#')) {
        if let Some(started) = text.strip_prefix("= ") {
            names = started;
            continue;
        }
        let (states, rest) = text.split_once(": ").unwrap_or(("", text));
        let states: Vec<&str> = states.split(", ").filter(|state| !state.is_empty()).collect();
        for name in names.split(' ') {
            symbols.entry(name).or_default().push((states.clone(), line(rest)));
        }
    }
    symbols
}

/// What a symbol shows of an area, a place or a piece.
#[derive(Clone, Default)]
pub(super) struct Subject<'a> {
    pub(super) states: Vec<&'a str>,
    pub(super) owner: Option<u32>,
    pub(super) holder: Option<u32>,
    pub(super) color: &'a str,
    pub(super) label: &'a str,
    /// The place of a piece.
    pub(super) place: &'a str,
    pub(super) count: u32,
    pub(super) age: u32,
    pub(super) value: i32,
    pub(super) size: f64,
}

impl<'a> Subject<'a> {
    pub(super) fn area(area: &'a SceneArea) -> Self {
        Self { owner: area.owner.or(area.claim), ..Self::default() }
    }

    pub(super) fn place(place: &'a ScenePlace) -> Self {
        let (owner, color) = (place.owner, place.color.as_str());
        let value = place.value.unwrap_or_default();
        let mut states: Vec<&str> = place.states.iter().map(String::as_str).collect();
        states.extend([color, place.kind.as_str()]);
        states.extend(owner.map(|_| "owned"));
        states.extend((value > 0).then_some("rated"));
        Self { states, owner, color, value, ..Self::default() }
    }

    pub(super) fn piece(piece: &'a ScenePiece) -> Self {
        let ScenePiece { owner, holder, label, count, age, place, .. } = piece;
        let mut states: Vec<&str> = piece.states.iter().map(String::as_str).collect();
        states.extend(owner.map(|_| "owned"));
        states.extend(holder.map(|_| "held"));
        states.extend((*count > 1).then_some("many"));
        states.extend((*age > 0).then_some("aged"));
        states.extend((label != "?").then_some("known"));
        states.extend((label.len() > 2).then_some("long"));
        let (owner, holder, count, age) = (*owner, *holder, *count, *age);
        let size = piece_size(piece).0;
        Self { states, owner, holder, label, place, count, age, size, ..Self::default() }
    }

    pub(super) fn has(&self, state: &str) -> bool {
        self.states.contains(&state)
    }

    /// Returns the lines of a symbol that are drawn in the subject's states.
    pub(super) fn lines<'s, T>(&self, symbols: &'s Symbols<T>, name: &str) -> Vec<&'s T> {
        let has = |state: &&str| match state.strip_prefix('!') {
            Some(other) => !self.has(other),
            None => self.has(state),
        };
        let lines = symbols.get(name).into_iter().flatten();
        lines.filter(|(states, _)| states.iter().all(has)).map(|(_, line)| line).collect()
    }
}
