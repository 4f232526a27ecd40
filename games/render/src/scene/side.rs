//! Draws the panels and the legend beside a picture.

use super::picture::{Drawer, PANEL_WIDTH, Spot, TOP};
use super::{ScenePanel, SceneRow, has, remark, scene_sign, titled_cells};
use crate::svg::{Color, Column, Font, Layer, Picture, ShapeStyle, Sheet, hexagon, to_f64};
use crate::text;

/// The maximum number of rows of a panel in a picture. Pages and reports show all rows.
const ROWS_MAX: usize = 40;
/// The font size in a table, and the distance between columns.
const CELL_SIZE: f64 = 12.0;
const CELL_GAP: f64 = 9.0;

impl Drawer<'_> {
    pub(super) fn heading(&self, picture: &mut Picture, (left, top): Spot) {
        let sheet = picture.on(Layer::Legend);
        let y = top - TOP;
        sheet.text(left, y + 34.0, Font::new(24.0, self.color("text")).bold(), &self.scene.title);
        for (nth, line) in self.scene.news.iter().take(2).enumerate() {
            let font = Font::new(14.0, self.color("soft"));
            sheet.text(left, y + 54.0 + 17.0 * to_f64(nth), font, line);
        }
    }

    pub(super) fn panel(&self, column: &mut Column<'_>, panel: &ScenePanel) {
        column.heading(&panel.title);
        for figure in &panel.figures {
            let text = format!("{}: {}{}", figure.label, figure.value, remark(figure));
            column.lines(12.5, self.color("soft"), false, &text);
        }
        match column_widths(panel) {
            Some(widths) => self.table(column, panel, &widths),
            None => panel.rows.iter().take(ROWS_MAX).for_each(|row| self.row(column, panel, row)),
        }
        if panel.rows.len() > ROWS_MAX {
            let text = format!("and {} more", panel.rows.len() - ROWS_MAX);
            column.lines(12.5, self.color("faint"), false, &text);
        }
        if !panel.note.is_empty() {
            column.lines(12.0, self.color("faint"), false, &panel.note);
        }
        column.skip(18.0);
    }

    fn row_color(&self, row: &SceneRow) -> Color {
        let is = |state: &str| has(&row.states, state);
        match row.seat {
            _ if is("out") => self.color("faint"),
            _ if is("good") => self.color("good"),
            _ if is("bad") => self.color("bad"),
            Some(_) => self.owner(row.seat),
            None => self.color("soft"),
        }
    }

    /// Draws rows in aligned columns. A last column that is too wide is below the others.
    fn table(&self, column: &mut Column<'_>, panel: &ScenePanel, widths: &[f64]) {
        let titles: Vec<String> = panel.columns.iter().map(|it| it.title.clone()).collect();
        let left = |nth: usize| widths[..nth].iter().map(|width| width + CELL_GAP).sum::<f64>();
        let line = |sheet: &mut Sheet, (x, y): Spot, cells: &[String], fonts: [Font; 2]| {
            for (nth, (cell, width)) in cells.iter().zip(widths).enumerate() {
                let font = fonts[nth.min(1)];
                let numeric = panel.columns.get(nth).is_some_and(|column| column.numeric);
                if numeric {
                    sheet.text(x + left(nth) + width, y, font.at_end(), cell);
                } else {
                    sheet.text(x + left(nth), y, font, cell);
                }
            }
        };
        let small = Font::new(CELL_SIZE, self.color("faint"));
        column.row(15.0, |sheet, at| line(sheet, at, &titles, [small; 2]));
        for row in panel.rows.iter().take(ROWS_MAX) {
            let active = if has(&row.states, "active") { "▶ " } else { "" };
            let first = row.cells.first().map_or("", String::as_str);
            let cells = [&[format!("{active}{first}")], row.cells.get(1..).unwrap_or(&[])].concat();
            let head = Font::new(CELL_SIZE, self.row_color(row)).bold_if(row.seat.is_some());
            let fonts = [head, Font::new(CELL_SIZE, self.color("soft"))];
            column.row(17.0, |sheet, at| line(sheet, at, &cells, fonts));
            let below = cells.get(widths.len()).filter(|cell| !cell.is_empty());
            if let Some(cell) = below {
                column.lines(10.0, self.color("faint"), false, cell);
            }
        }
        column.skip(4.0);
    }

    /// Draws a row as a line: the first cell, then the other cells with their headings. In the
    /// panel of players, a row has two lines.
    fn row(&self, column: &mut Column<'_>, panel: &ScenePanel, row: &SceneRow) {
        let is = |state: &str| has(&row.states, state);
        let color = self.row_color(row);
        let (first, rest) = titled_cells(panel, row);
        let active = if is("active") { "▶ " } else { "" };
        let head = format!("{active}{first}");
        if rest.is_empty() {
            column.lines(12.5, color, false, &head);
        } else if panel.key == "players" {
            column.skip(5.0);
            column.lines(14.0, color, true, &head);
            column.lines(12.0, self.color("soft"), false, &rest.join(" · "));
        } else {
            column.lines(12.0, color, false, &format!("{head}: {}", rest.join(" · ")));
        }
    }

    pub(super) fn legend(&self, column: &mut Column<'_>) {
        if self.scene.legend.is_empty() {
            return;
        }
        column.heading("Legend");
        for sign in &self.scene.legend {
            if matches!(&sign.sample, Some(scene_sign::Sample::Path(path)) if path.points.len() == 2)
            {
                column.skip(6.0);
            }
            column.sign(&sign.meaning, |sheet, (x, y)| match &sign.sample {
                Some(scene_sign::Sample::Area(area)) => {
                    let edge = self.field(area);
                    sheet.polygon(&hexagon((x, y), 10.0), edge);
                    if area.owner.is_some() {
                        let line = ShapeStyle::line(self.owner(area.owner), 2.4);
                        sheet.polygon(&hexagon((x, y), 8.5), line);
                    }
                    if has(&area.states, "shared") {
                        let line = ShapeStyle::line(self.color("good"), 1.0).dashed("2 3");
                        sheet.polygon(&hexagon((x, y), 8.5), line);
                    }
                    if area.claim.is_some() {
                        let line = ShapeStyle::line(self.owner(area.claim), 2.4).dashed("4 2.5");
                        sheet.polygon(&hexagon((x, y), 8.5), line);
                    }
                }
                Some(scene_sign::Sample::Place(place)) => self.sample(sheet, place, (x, y)),
                Some(scene_sign::Sample::Piece(piece)) => self.token(sheet, piece, (x, y)),
                Some(scene_sign::Sample::Path(path)) => {
                    let at = |along: f64| (x + along, y);
                    let points = match (path.points.len(), path.kind.as_str()) {
                        (2, _) => vec![at(0.0)],
                        (_, "support" | "convoy") => vec![at(-24.0), at(12.0)],
                        // Drawing shortens flights most, so their samples are longer.
                        (_, "flight") => vec![at(-28.0), at(28.0)],
                        (_, "course" | "border") => vec![at(-14.0), at(14.0)],
                        _ => vec![at(-24.0), at(24.0)],
                    };
                    self.line(sheet, path, &points);
                }
                None => {}
            });
        }
    }
}

/// Returns the widths of the columns, without the last column if it does not fit. Returns `None`
/// for tables without numbers, and for tables that are too wide.
fn column_widths(panel: &ScenePanel) -> Option<Vec<f64>> {
    let letter = 0.52 * CELL_SIZE;
    let width = |nth: usize| {
        let cells = panel.rows.iter().take(ROWS_MAX).filter_map(|row| row.cells.get(nth));
        let title = panel.columns.get(nth).map(|column| &column.title);
        let longest = cells.chain(title).map(|text| text::width(text)).max();
        // A bold first column has room for the mark of an active row.
        let wider = if nth == 0 { 1.2 } else { 1.0 };
        letter * wider * to_f64(longest.unwrap_or_default())
    };
    let mut widths: Vec<f64> = (0..panel.columns.len()).map(width).collect();
    let fits = |widths: &[f64]| {
        widths.iter().map(|width| width + CELL_GAP).sum::<f64>() - CELL_GAP <= PANEL_WIDTH
    };
    if !panel.columns.iter().any(|column| column.numeric) {
        return None;
    }
    if !fits(&widths) {
        widths.pop();
    }
    fits(&widths).then_some(widths)
}
