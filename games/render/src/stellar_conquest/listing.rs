//! The contents of a panel, and its conversion to a scene panel.

use crate::scene::{SceneFigure, ScenePanel, SceneRow, panel};

#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    pub(super) key: &'static str,
    pub(super) title: &'static str,
    pub(super) figures: Vec<SceneFigure>,
    /// The title of each column, and whether its cells are numbers.
    pub(super) columns: &'static [(&'static str, bool)],
    pub(super) rows: Vec<SceneRow>,
    pub(super) note: String,
    pub(super) folded: bool,
}

impl Listing {
    /// Returns the panel, or `None` if it has no content.
    pub(super) fn panel(self) -> Option<ScenePanel> {
        let Self { figures, note, folded, .. } = self;
        let is_empty = figures.is_empty() && self.rows.is_empty();
        let panel = panel(self.key, self.title, self.columns, self.rows);
        (!is_empty).then_some(ScenePanel { figures, note, folded, ..panel })
    }
}

pub(super) fn row<const N: usize>(cells: [String; N]) -> SceneRow {
    SceneRow { cells: cells.into(), ..SceneRow::default() }
}
