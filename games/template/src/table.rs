//! State, orders and events, and their encoding.

use heliopause_kernel::setting::{Setting, Value, put};
use heliopause_kernel::wire::{self, Read, Wire, Write};
use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::slingshot::v1 as proto;

/// Initial fuel (2).
pub const FUEL: u8 = 12;
/// Maximum burn in a round (2).
pub const BURN_MAX: u8 = 3;
/// Highest wind (1).
pub const WIND_MAX: u8 = 6;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Distance to the heliopause (1).
    pub distance: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { distance: 20 }
    }
}

pub(crate) const SETTINGS: &[Setting<Options>] = &[Setting::number(
    "distance",
    "Distance to the heliopause (1).",
    (10, 100),
    |options: &Options| Some(options.distance.into()),
    |options: &mut Options, value| options.distance = value as u16,
)];

impl Read<proto::Options> for Options {
    fn read(message: &proto::Options) -> wire::Result<Self> {
        let mut options = Self::default();
        let distance = (message.distance > 0).then_some(Value::Number(message.distance));
        put(SETTINGS, &mut options, "distance", distance)?;
        Ok(options)
    }
}

impl Write<proto::Options> for Options {
    fn write(&self) -> proto::Options {
        proto::Options { distance: self.distance.into() }
    }
}
heliopause_kernel::message!(Options, proto::Options);

/// The public state of a game.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Table)]
pub struct Table {
    pub options: Options,
    /// Distance covered by each probe, in seat order.
    pub distances: Vec<u16>,
    /// The current round, counted from 1.
    pub round: u16,
    /// The seat that decides which probe to hold back. `None` while burns are planned.
    pub leader: Option<Seat>,
    /// The winners, or an empty set until the game is over.
    pub winners: SeatSet,
}

/// Information visible only to its seat.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Secret)]
pub struct Secret {
    pub seat: Seat,
    pub fuel: u8,
    pub wind: u8,
    pub burn: u8,
}

/// The state visible to one viewer. A view with all secrets is the complete state.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::View)]
pub struct View {
    pub table: Table,
    /// The visible secrets in seat order: the viewer's own, or all.
    pub secrets: Vec<Secret>,
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Order {
    Burn { fuel: u8 },
    Brake { seat: Seat },
    Coast,
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event)]
pub enum Event {
    RoundBegan { round: u16 },
    WindDrawn { seat: Seat, wind: u8 },
    Planned { seat: Seat, burn: u8 },
    Moved { distances: Vec<u16>, leader: Option<Seat> },
    LeaderDecided { leader: Seat, braked: Option<Seat> },
    Ended { winners: SeatSet },
}

impl Table {
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(self.distances.len())
    }

    pub fn is_over(&self) -> bool {
        !self.winners.is_empty()
    }

    pub fn farthest(&self) -> SeatSet {
        let most = self.distances.iter().max();
        self.seats().filter(|seat| self.distances.get(seat.index()) == most).collect()
    }
}

impl View {
    pub fn secret(&self, seat: Seat) -> Option<&Secret> {
        self.secrets.iter().find(|own| own.seat == seat)
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        let Self { table, secrets } = self;
        match event {
            Event::RoundBegan { round } => table.round = *round,
            Event::WindDrawn { seat, wind } => of(secrets, *seat).for_each(|own| own.wind = *wind),
            Event::Planned { seat, burn } => of(secrets, *seat).for_each(|own| own.burn = *burn),
            Event::Moved { distances, leader } => {
                table.distances.clone_from(distances);
                table.leader = *leader;
                for own in secrets {
                    own.fuel = own.fuel.saturating_sub(std::mem::take(&mut own.burn));
                }
            }
            Event::LeaderDecided { braked, .. } => {
                table.leader = None;
                if let Some(distance) =
                    braked.and_then(|seat| table.distances.get_mut(seat.index()))
                {
                    *distance = distance.saturating_sub(2);
                }
            }
            Event::Ended { winners } => table.winners = *winners,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Malformed> {
        let Self { table, secrets } = self;
        let is_seat = |seat: Seat| seat.index() < table.distances.len();
        let fits = (2..=6).contains(&table.distances.len())
            && table.leader.is_none_or(is_seat)
            && table.winners.iter().all(is_seat)
            && table.round > 0;
        if !fits {
            return wire::wrong_field(
                "table",
                "expected 2 to 6 probes, a round from 1, and a leader and winners that are seats",
            );
        }
        let is_one = |own: &Secret| {
            own.fuel <= FUEL && (1..=WIND_MAX).contains(&own.wind) && own.burn <= own.fuel
        };
        let all =
            secrets.iter().map(|own| own.seat).eq(table.seats()) && secrets.iter().all(is_one);
        if all {
            Ok(())
        } else {
            wire::wrong_field(
                "secrets",
                "expected one for each seat, with fuel 0 to 12, wind 1 to 6, and burn at most the \
                 fuel",
            )
        }
    }
}

fn of(secrets: &mut [Secret], seat: Seat) -> impl Iterator<Item = &mut Secret> {
    secrets.iter_mut().filter(move |own| own.seat == seat)
}
