//! Standing orders: a seat's automatic answers to decisions in battles during other players' turns.
//! For `Ask`, the game waits for an answer or a deadline.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

vocabulary! {
    /// The targets that a seat's ships and bases choose (rules 12.3, 13.4).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[wire(words = proto::FirePolicy)]
    pub enum FirePolicy {
        #[default]
        #[wire(absent)]
        Ask = "ask",
        /// Spreads the shots evenly over the targets, with the most dangerous targets first.
        Spread = "spread",
        /// Fires at the most dangerous target until its loss is likely, then at the next target.
        Focus = "focus",
        /// No unit of the seat fires (BR-14).
        Hold = "hold",
    }
}

vocabulary! {
    /// The condition under which a defender stays for another round (rule 12.7).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[wire(words = proto::StayPolicy)]
    pub enum StayPolicy {
        #[default]
        #[wire(absent)]
        Ask = "ask",
        Always = "always",
        /// All ships stay while the defender has more warships than the attacker. Otherwise all
        /// leave.
        WhileMoreWarships = "while-more",
        /// All ships stay while the defender has at least as many warships as the attacker.
        /// Otherwise all leave.
        WhileNoFewerWarships = "while-no-fewer",
        Never = "never",
    }
}

vocabulary! {
    /// The hex to which a seat sends withdrawing enemies (rule 12.8).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[wire(words = proto::RefugePolicy)]
    pub enum RefugePolicy {
        #[default]
        #[wire(absent)]
        Ask = "ask",
        /// The neighboring hex farthest from the enemies' entry hex, preferably not a star hex.
        /// Also used if the seat misses its deadline.
        Away = "away",
    }
}

vocabulary! {
    /// The condition under which a seat destroys factories after a round (rule 13.5).
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[wire(words = proto::ScuttlePolicy)]
    pub enum ScuttlePolicy {
        #[default]
        #[wire(absent)]
        Ask = "ask",
        Never = "never",
        /// Destroys all factories once the remaining bases do not outnumber the attacker's
        /// warships.
        WhenLost = "when-lost",
    }
}

/// The standing orders of a seat.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::StandingOrders, or_default)]
pub struct StandingOrders {
    pub fire: FirePolicy,
    pub stay: StayPolicy,
    /// Whether the seat's scouts leave as soon as possible, even if other ships stay.
    pub scouts_leave: bool,
    /// Whether the seat's transports leave as soon as possible, even if other ships stay.
    pub transports_leave: bool,
    pub refuge: RefugePolicy,
    pub scuttle: ScuttlePolicy,
}
