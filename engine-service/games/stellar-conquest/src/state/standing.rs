//! Standing orders: how a seat answers, without being asked, what the other side of a battle owes
//! in the middle of a turn. Where it says to ask, the game waits for an answer, or for a deadline.

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

/// How a seat's ships and bases choose their targets (12.3, 13.4).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::FirePolicy)]
pub enum FirePolicy {
    /// The seat is asked.
    #[default]
    #[wire(absent)]
    Ask,
    /// One target each, the most dangerous that can be hit first; doubling up when there are more
    /// guns than targets.
    Spread,
    /// As many guns at the most dangerous target as its loss is likely, then at the next.
    Focus,
    /// Nobody fires (BR-14).
    Hold,
}

/// Whether a defender stays for another round (12.7).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::StayPolicy)]
pub enum StayPolicy {
    /// The seat is asked.
    #[default]
    #[wire(absent)]
    Ask,
    /// All stay.
    Always,
    /// All stay while the defender has more warships than the attacker; otherwise all leave.
    WhileMoreWarships,
    /// All stay while the defender has at least as many warships; otherwise all leave.
    WhileNoFewerWarships,
    /// All leave after the first round.
    Never,
}

/// Where a seat sends enemies who withdraw (12.8).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::RefugePolicy)]
pub enum RefugePolicy {
    /// The seat is asked.
    #[default]
    #[wire(absent)]
    Ask,
    /// The game's default: farthest from the entry hex of those who leave, and into no star hex;
    /// then the first direction.
    Away,
}

/// Whether a seat destroys factories of a colony under attack after a round (13.5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::ScuttlePolicy)]
pub enum ScuttlePolicy {
    /// The seat is asked.
    #[default]
    #[wire(absent)]
    Ask,
    /// None.
    Never,
    /// All, once no more bases are left than the attacker has warships.
    WhenLost,
}

/// The standing orders of a seat.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::StandingOrders, or_default)]
pub struct StandingOrders {
    /// How its ships and bases choose targets while it defends.
    pub fire: FirePolicy,
    /// Whether its ships stay.
    pub stay: StayPolicy,
    /// Whether its scouts leave as soon as they may, whatever the others do.
    pub scouts_leave: bool,
    /// Whether its transports do.
    pub transports_leave: bool,
    /// Where it sends enemies.
    pub refuge: RefugePolicy,
    /// Whether it destroys factories.
    pub scuttle: ScuttlePolicy,
}
