//! A view in the words of the map: who is who, what stands where, which orders are drawn.

use heliopause_diplomacy::{Event, Insight, Order, Report, Table, Variant, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::lately::{Drawn, Lately};
use super::palette;
use crate::style::Ink;
use crate::svg::{Color, Palette, Tint};
use crate::text::harmless;
use crate::wording;

/// A power or an empire.
#[derive(Clone, Debug)]
pub(super) struct Power {
    pub(super) seat: Seat,
    /// What it is called.
    pub(super) name: String,
    /// What orders call it.
    pub(super) code: String,
    /// Who plays it; empty for a power in civil disorder.
    pub(super) player: String,
}

/// A view, ready to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Atlas {
    pub(super) view: View,
    /// The powers, in seat order.
    pub(super) powers: Vec<Power>,
    /// What the game is called.
    pub(super) title: String,
    /// What became of the orders of the last movement.
    pub(super) reports: Vec<Report>,
    /// What the picture shows of the last phases.
    lately: Lately,
}

impl Atlas {
    /// What a view shows; `told` are the events that came last.
    pub(super) fn new(view: &View, game: &Game, told: &[Event]) -> Self {
        let reports = told.iter().rev().find_map(|event| match event {
            Event::Moved { reports, .. } => Some(reports.clone()),
            Event::Ordered { .. }
            | Event::PhaseBegan { .. }
            | Event::Retreated { .. }
            | Event::TurnEnded { .. }
            | Event::Adjusted { .. }
            | Event::Eliminated { .. }
            | Event::Ended { .. } => None,
        });
        let powers = powers(&view.table, game);
        let lately = Lately::of(told, &view.table);
        let title =
            if game.name.is_empty() { "Diplomacy".to_owned() } else { harmless(&game.name) };
        Self { view: view.clone(), powers, title, reports: reports.unwrap_or_default(), lately }
    }

    /// The public part.
    pub(super) fn table(&self) -> &Table {
        &self.view.table
    }

    /// Whether empires come from outer space.
    pub(super) fn is_in_space(&self) -> bool {
        self.table().options.variant == Variant::OuterSpace
    }

    /// The power at a seat.
    pub(super) fn power(&self, seat: Seat) -> &Power {
        &self.powers[seat.index().min(self.powers.len() - 1)]
    }

    /// The viewer's seat.
    pub(super) fn own(&self) -> Option<Seat> {
        match &self.view.insight {
            Insight::Seat(seat, _) => Some(*seat),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    /// The orders of this phase that the viewer knows.
    pub(super) fn known_orders(&self) -> Vec<(Seat, Order)> {
        match &self.view.insight {
            Insight::Spectator => Vec::new(),
            Insight::Seat(seat, sheet) => sheet.iter().map(|order| (*seat, *order)).collect(),
            Insight::GameMaster(sheets) => {
                let all = sheets.iter().enumerate();
                all.flat_map(|(index, sheet)| {
                    sheet.iter().map(move |order| (Seat::at(index), *order))
                })
                .collect()
            }
        }
    }

    /// The orders that the picture shows: those of this phase, or else what became of the last
    /// ones.
    pub(super) fn drawn(&self) -> Vec<Drawn> {
        let orders = self.known_orders();
        if orders.is_empty() {
            return self.lately.drawn.clone();
        }
        orders.into_iter().map(|(seat, order)| Drawn::given(seat, order)).collect()
    }

    /// Of which phases the orders are that the picture shows; none if it shows none.
    pub(super) fn shown(&self) -> Option<String> {
        if !self.known_orders().is_empty() {
            let whose = if self.own().is_some() { "your orders" } else { "the orders so far" };
            return Some(format!("Arrows: {whose} for {}", self.table().date()));
        }
        let phases = &self.lately.phases;
        (!phases.is_empty()).then(|| format!("Arrows: what became of {}", phases.join("; ")))
    }

    /// A power's colour in the terminal.
    pub(super) fn ink(&self, seat: Seat) -> Ink {
        palette::ink(self.table().options.variant, seat)
    }

    /// A power's colour in a picture.
    pub(super) fn color(&self, palette: &Palette, seat: Seat) -> Color {
        palette::color(palette, self.table().options.variant, seat)
    }

    /// The same as it fills a shape.
    pub(super) fn tint(&self, palette: &Palette, seat: Seat) -> Tint {
        palette::tint(palette, self.table().options.variant, seat)
    }
}

/// The powers of a table with their players.
pub(super) fn powers(table: &Table, game: &Game) -> Vec<Power> {
    let seats = table.seats().count();
    let player = |seat: Seat| {
        let there = game
            .seats
            .iter()
            .find(|other| other.number == seat.number())
            .filter(|_| seat.index() < seats);
        // Where one player holds all seats, their name tells nothing.
        let telling = there.filter(|there| wording::seat_name(game, seat.number()) != there.role);
        telling.map_or_else(String::new, wording::occupant)
    };
    let named = table.options.powers(table.players).into_iter().enumerate();
    named
        .map(|(index, (name, code))| {
            let seat = Seat::at(index);
            Power { seat, name: harmless(&name), code: code.to_string(), player: player(seat) }
        })
        .collect()
}
