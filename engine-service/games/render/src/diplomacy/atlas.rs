//! A view in the words of the map: who is who, what stands where, which orders are drawn.

use heliopause_diplomacy::{Event, Insight, Order, Outcome, Report, Table, Variant, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::palette;
use crate::style::Ink;
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

/// An order to be drawn, and what became of it if that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    pub(super) seat: Seat,
    pub(super) order: Order,
    /// What became of it.
    pub(super) outcome: Option<Outcome>,
    /// Whether its unit was dislodged.
    pub(super) dislodged: bool,
}

/// A view, ready to be drawn.
#[derive(Debug)]
pub(super) struct Atlas {
    pub(super) view: View,
    /// The powers, in seat order.
    pub(super) powers: Vec<Power>,
    /// What the game is called.
    pub(super) title: String,
    /// What became of the orders of the last movement.
    pub(super) reports: Vec<Report>,
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
        let title =
            if game.name.is_empty() { "Diplomacy".to_owned() } else { harmless(&game.name) };
        Self { view: view.clone(), powers, title, reports: reports.unwrap_or_default() }
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
            let drawn = |report: &Report| Drawn {
                seat: report.given.seat,
                order: report.given.order,
                outcome: Some(report.outcome),
                dislodged: report.dislodged,
            };
            return self.reports.iter().map(drawn).collect();
        }
        let drawn = |(seat, order)| Drawn { seat, order, outcome: None, dislodged: false };
        orders.into_iter().map(drawn).collect()
    }

    /// A power's colour in the terminal.
    pub(super) fn ink(&self, seat: Seat) -> Ink {
        palette::ink(self.table().options.variant, seat)
    }

    /// A power's colour in a picture.
    pub(super) fn color(&self, seat: Seat) -> String {
        palette::color(self.table().options.variant, seat)
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
