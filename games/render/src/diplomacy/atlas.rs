//! A view of Diplomacy prepared for drawing, with the orders to draw.

use heliopause_diplomacy::{Conditional, Event, Insight, Order, Table, Variant, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::recent_orders::{DrawnOrder, RecentOrders};
use crate::scene::SceneSeat;
use crate::text::harmless;
use crate::wording;

#[derive(Clone, Debug)]
pub(super) struct Power {
    pub(super) seat: Seat,
    pub(super) name: String,
    pub(super) code: String,
    /// The name of the player. Empty for a power without a seat, or if one player occupies all
    /// seats.
    pub(super) player: String,
}

#[derive(Clone, Debug)]
pub(super) struct Atlas {
    pub(super) view: View,
    /// The powers in seat order.
    pub(super) powers: Vec<Power>,
    pub(super) title: String,
    pub(super) recent_orders: RecentOrders,
}

impl Atlas {
    pub(super) fn new(view: &View, game: &Game, told: &[Event]) -> Self {
        let powers = powers(&view.table, game);
        let name = |seat: Seat| powers[seat.index().min(powers.len() - 1)].name.clone();
        let recent_orders = RecentOrders::of(told, &view.table, &name);
        let title =
            if game.name.is_empty() { "Diplomacy".to_owned() } else { harmless(&game.name) };
        Self { view: view.clone(), powers, title, recent_orders }
    }

    pub(super) fn table(&self) -> &Table {
        &self.view.table
    }

    pub(super) fn is_in_space(&self) -> bool {
        self.table().options.variant == Variant::OuterSpace
    }

    pub(super) fn power(&self, seat: Seat) -> &Power {
        &self.powers[seat.index().min(self.powers.len() - 1)]
    }

    pub(super) fn own(&self) -> Option<Seat> {
        match &self.view.insight {
            Insight::Seat(seat, _) => Some(*seat),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    pub(super) fn known_orders(&self) -> Vec<(Seat, Order)> {
        match &self.view.insight {
            Insight::Spectator => Vec::new(),
            Insight::Seat(seat, sheet) => {
                sheet.orders.iter().map(|order| (*seat, *order)).collect()
            }
            Insight::GameMaster(sheets) => {
                let all = sheets.iter().enumerate();
                all.flat_map(|(index, sheet)| {
                    sheet.orders.iter().map(move |order| (Seat::at(index), *order))
                })
                .collect()
            }
        }
    }

    pub(super) fn conditionals(&self) -> &[Conditional] {
        if let Insight::Seat(_, sheet) = &self.view.insight { &sheet.conditionals } else { &[] }
    }

    /// Returns whether the viewer sees orders of this phase.
    pub(super) fn has_orders(&self) -> bool {
        !self.known_orders().is_empty() || !self.conditionals().is_empty()
    }

    /// Returns the orders to draw: those of this phase, or else the latest results.
    pub(super) fn drawn(&self) -> Vec<DrawnOrder> {
        if !self.has_orders() {
            return self.recent_orders.drawn.clone();
        }
        self.known_orders()
            .into_iter()
            .map(|(seat, order)| DrawnOrder::given(seat, order))
            .collect()
    }

    /// Describes which orders [`Self::drawn`] returns.
    pub(super) fn shown(&self) -> Option<String> {
        if self.has_orders() {
            let whose = if self.own().is_some() { "your orders" } else { "the orders so far" };
            return Some(format!("{whose} for {}", self.table().date()));
        }
        let phases = &self.recent_orders.phases;
        (!phases.is_empty()).then(|| format!("results of {}", phases.join("; ")))
    }
}

/// Returns the seats with their colors. Empires have the colors of their seat numbers.
pub(super) fn seats(variant: Variant, powers: &[Power]) -> Vec<SceneSeat> {
    let seat = |power: &Power| SceneSeat {
        seat: power.seat.number(),
        name: power.name.clone(),
        code: power.code.clone(),
        color: match variant {
            Variant::Standard => format!("power-{}", power.seat.number()),
            Variant::OuterSpace => String::new(),
        },
    };
    powers.iter().map(seat).collect()
}

pub(super) fn powers(table: &Table, game: &Game) -> Vec<Power> {
    let seats = table.seats().count();
    let player = |seat: Seat| {
        let there = game
            .seats
            .iter()
            .find(|other| other.number == seat.number())
            .filter(|_| seat.index() < seats);
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
