//! Orders in the picture: what moves is an arrow, what helps is dashed, what failed has a cross.

use heliopause_diplomacy::{Named, Node, Order, Place, Site};

use super::atlas::Atlas;
use super::geography::EUROPE;
use super::lately::{Drawn, Success};
use crate::svg::{Color, Finish, Layer, Mark, Palette, Picture, Sheet};

/// A place in the picture.
type Spot = (f64, f64);

/// How far away what beams down comes from, as seen from its goal.
const ORBIT: Spot = (-34.0, -62.0);

/// Draws all orders that the picture shows.
pub(super) fn draw(picture: &mut Picture, atlas: &Atlas) {
    let palette = picture.palette;
    for drawn in atlas.drawn() {
        let pen = Pen {
            palette,
            color: atlas.color(palette, drawn.seat),
            failed: drawn.success == Success::Failed,
        };
        let mark = Mark::order().of(drawn.seat).titled(told(atlas, &drawn));
        let sheet = picture.on(Layer::Orders);
        sheet.marked(&mark, |sheet| order(sheet, atlas, &pen, &drawn));
    }
}

fn told(atlas: &Atlas, drawn: &Drawn) -> String {
    let became = match drawn.success {
        Success::Open => "",
        Success::Done => ": done",
        Success::Failed => ": failed",
    };
    let dislodged = if drawn.dislodged { ", dislodged" } else { "" };
    format!("{}: {}{became}{dislodged}", atlas.power(drawn.seat).name, drawn.order)
}

/// How an order is drawn.
struct Pen {
    palette: &'static Palette,
    color: Color,
    failed: bool,
}

fn order(sheet: &mut Sheet, atlas: &Atlas, pen: &Pen, drawn: &Drawn) {
    match drawn.order {
        Order::Move { unit, to, .. } | Order::Retreat { unit, to } => pen.travel(sheet, unit, to),
        Order::SupportHold { unit, other } => {
            if let (Some(start), Some(end)) = (place(atlas, unit), place(atlas, other)) {
                pen.help(sheet, start, end);
            }
        }
        Order::SupportMove { unit, other, to: Place::Earth(to), .. } => {
            let end = middle(to);
            let from = place_before(other).unwrap_or((end.0 + ORBIT.0, end.1 + ORBIT.1));
            if let Some(start) = place(atlas, unit) {
                pen.help(sheet, start, between(from, end, 0.6));
            }
        }
        Order::Convoy { unit, army, to } => {
            if let (Some(start), Some(from)) = (place(atlas, unit), place_before(army)) {
                let end = middle(to.province().node());
                pen.help(sheet, start, between(from, end, 0.5));
            }
        }
        Order::Colonize { unit, target } => {
            let at = target.map(|province| middle(province.node())).or_else(|| place_before(unit));
            pen.ring(sheet, at, 14.5, "3 3");
        }
        Order::Build { unit: Site { at, .. } } => {
            sheet.circle(middle(at), 13.5, Finish::line(pen.palette.good, 2.6));
        }
        Order::Remove { unit } | Order::Disband { unit } => {
            if let Some(spot) = place_before(unit) {
                sheet.cross(spot, 12.0, pen.palette.halo, pen.palette.bad);
            }
        }
        Order::Hold { unit } => pen.ring(sheet, place_before(unit), 13.0, ""),
        Order::SupportMove { .. } | Order::Waive => {}
    }
    if let (true, Some(spot)) = (drawn.dislodged, drawn.order.unit().and_then(place_before)) {
        sheet.circle(spot, 15.0, Finish::line(pen.palette.bad, 2.4));
    }
}

/// Where a unit is that an order names.
fn place(atlas: &Atlas, unit: Named) -> Option<Spot> {
    let Place::Earth(node) = unit.at else { return None };
    let stands = atlas.table().position.unit(node.province()).map(|unit| unit.at);
    Some(middle(stands.filter(|at| at.province() == node.province()).unwrap_or(node)))
}

/// Where a unit was when it was ordered.
fn place_before(unit: Named) -> Option<Spot> {
    match unit.at {
        Place::Earth(node) => Some(middle(node)),
        Place::Orbit => None,
    }
}

fn middle(node: Node) -> Spot {
    EUROPE.middle(node)
}

fn between(start: Spot, end: Spot, part: f64) -> Spot {
    (start.0 + (end.0 - start.0) * part, start.1 + (end.1 - start.1) * part)
}

/// A line from one place to the other that leaves room for the units at its ends.
fn shortened(start: Spot, end: Spot, before: f64, after: f64) -> (Spot, Spot) {
    let length = (end.0 - start.0).hypot(end.1 - start.1).max(1.0);
    let cut = |room: f64| (room / length).min(0.4);
    (between(start, end, cut(before)), between(start, end, 1.0 - cut(after)))
}

impl Pen {
    /// A unit goes somewhere; what comes from orbit falls from above.
    fn travel(&self, sheet: &mut Sheet, unit: Named, to: Place) {
        let line = Finish::line(self.color, 3.0);
        match (place_before(unit), to) {
            (Some(start), Place::Earth(to)) => self.arrow(sheet, start, middle(to), line),
            (None, Place::Earth(to)) => {
                let end = middle(to);
                let start = (end.0 + ORBIT.0, end.1 + ORBIT.1);
                self.arrow(sheet, start, end, line.dashed("2 3"));
            }
            (Some(start), Place::Orbit) => {
                let end = (start.0 - ORBIT.0, start.1 + ORBIT.1);
                self.arrow(sheet, start, end, line.dashed("2 3"));
            }
            (None, Place::Orbit) => {}
        }
    }

    fn arrow(&self, sheet: &mut Sheet, start: Spot, end: Spot, line: Finish) {
        let (start, end) = shortened(start, end, 10.0, if self.failed { 24.0 } else { 14.0 });
        sheet.arrow(start, end, self.palette.halo, line);
        if self.failed {
            sheet.cross(between(start, end, 0.8), 6.0, self.palette.halo, self.palette.bad);
        }
    }

    /// A support or a convoy: dashed, with a dot at its end; a red cross if it was cut or did not
    /// serve.
    fn help(&self, sheet: &mut Sheet, start: Spot, end: Spot) {
        let (start, end) = shortened(start, end, 10.0, 2.0);
        sheet.line(start, end, Finish::line(self.palette.halo, 4.2));
        sheet.line(start, end, Finish::line(self.color, 2.2).dashed("5 3.5"));
        sheet.circle(end, 3.4, Finish::fill(self.color).edge(self.palette.halo, 0.8));
        if self.failed {
            sheet.cross(between(start, end, 0.45), 5.5, self.palette.halo, self.palette.bad);
        }
    }

    fn ring(&self, sheet: &mut Sheet, at: Option<Spot>, radius: f64, dashes: &'static str) {
        if let Some(spot) = at {
            sheet.circle(spot, radius, Finish::line(self.color, 2.0).dashed(dashes));
        }
    }
}
