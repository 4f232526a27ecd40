//! What there is, and how it travels.

use heliopause_kernel::setting::{Setting, Value, put};
use heliopause_kernel::wire::{self, Read, Wire, Write};
use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::slingshot::v1 as proto;

/// Fuel at the beginning (2).
pub const FUEL: u8 = 12;
/// The most that is burnt in a round (2).
pub const BURN_MAX: u8 = 3;
/// The sides of the wind (1).
pub const WIND_MAX: u8 = 6;

/// The rules options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How far away the heliopause is (1).
    pub distance: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { distance: 20 }
    }
}

/// Each option with what it may be.
pub(crate) const SETTINGS: &[Setting<Options>] = &[Setting::number(
    "distance",
    "How far away the heliopause is (1).",
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

/// What all may know.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Table)]
pub struct Table {
    pub options: Options,
    /// How far each probe has come, in seat order.
    pub distances: Vec<u16>,
    /// The round, from 1.
    pub round: u16,
    /// Who decides whom to hold back; nobody while all plan their burns.
    pub leader: Option<Seat>,
    /// Who won; empty until then.
    pub winners: SeatSet,
}

/// What one seat alone knows.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Secret)]
pub struct Secret {
    pub seat: Seat,
    pub fuel: u8,
    /// Its wind in this round.
    pub wind: u8,
    /// The burn that it plans.
    pub burn: u8,
}

/// What a viewer knows. Who knows all secrets knows the complete state.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::View)]
pub struct View {
    /// What all know.
    pub table: Table,
    /// The secrets that they know, in seat order: their own, or all.
    pub secrets: Vec<Secret>,
}

/// What a seat orders.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
pub enum Order {
    /// Plan a burn.
    Burn { fuel: u8 },
    /// Swing past another probe and hold it back.
    Brake { seat: Seat },
    /// Swing past nobody.
    Coast,
}

/// What happened.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::event::Kind, message = proto::Event)]
pub enum Event {
    RoundBegan {
        round: u16,
    },
    /// A seat felt its wind.
    Felt {
        seat: Seat,
        wind: u8,
    },
    /// A seat planned a burn.
    Planned {
        seat: Seat,
        /// How much fuel.
        burn: u8,
    },
    /// All probes moved.
    Moved {
        /// How far each has come.
        distances: Vec<u16>,
        /// Who decides next.
        leader: Option<Seat>,
    },
    /// The leader made its choice.
    Swung {
        leader: Seat,
        /// Whom it held back.
        braked: Option<Seat>,
    },
    /// The game is over.
    Ended {
        /// Who won.
        winners: SeatSet,
    },
}

impl Table {
    /// The seats.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(self.distances.len())
    }

    /// Whether the game is over (5).
    pub fn is_over(&self) -> bool {
        !self.winners.is_empty()
    }

    /// The seats that have come farthest.
    pub fn farthest(&self) -> SeatSet {
        let most = self.distances.iter().max();
        self.seats().filter(|seat| self.distances.get(seat.index()) == most).collect()
    }
}

impl View {
    /// The secret of a seat, if the viewer knows it.
    pub fn secret(&self, seat: Seat) -> Option<&Secret> {
        self.secrets.iter().find(|own| own.seat == seat)
    }

    /// What an event changes, in the state and in all views alike.
    pub(crate) fn apply(&mut self, event: &Event) {
        let Self { table, secrets } = self;
        match event {
            Event::RoundBegan { round } => table.round = *round,
            Event::Felt { seat, wind } => of(secrets, *seat).for_each(|own| own.wind = *wind),
            Event::Planned { seat, burn } => of(secrets, *seat).for_each(|own| own.burn = *burn),
            Event::Moved { distances, leader } => {
                table.distances.clone_from(distances);
                table.leader = *leader;
                for own in secrets {
                    own.fuel = own.fuel.saturating_sub(std::mem::take(&mut own.burn));
                }
            }
            Event::Swung { braked, .. } => {
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

    /// Whether it is a complete state: all seats are those of the table, and every number is one
    /// that the rules allow.
    pub(crate) fn check(&self) -> Result<(), Malformed> {
        let Self { table, secrets } = self;
        let is_seat = |seat: Seat| seat.index() < table.distances.len();
        let fits = (2..=6).contains(&table.distances.len())
            && table.leader.is_none_or(is_seat)
            && table.winners.iter().all(is_seat)
            && table.round > 0;
        if !fits {
            return wire::wrong_field("table", "it does not hold together");
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
                "each seat has one, with fuel, wind and burn within bounds",
            )
        }
    }
}

/// The secret of a seat, if it is among these.
fn of(secrets: &mut [Secret], seat: Seat) -> impl Iterator<Item = &mut Secret> {
    secrets.iter_mut().filter(move |own| own.seat == seat)
}
