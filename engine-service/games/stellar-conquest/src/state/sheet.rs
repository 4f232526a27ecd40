//! Rules 3.4, 17: sheets that all players fill in secretly and at the same time, and may replace
//! until the last one is ready.

use heliopause_kernel::wire::{Result, Wire, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::cards::PlanetId;
use crate::tables::outer_space::Area;
use crate::tables::prices::Item;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// The most lines of a sheet: more than any legal one needs.
pub const LINES_MAX: usize = 4_096;

/// i.p. paid into a technology.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Payment)]
pub struct Payment {
    #[wire(name = technology)]
    pub tech: Tech,
    pub points: u32,
}

/// Something that is built.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Build)]
pub struct Build {
    pub item: Item,
    pub count: u32,
}

/// What is chosen at setup.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, kinds = proto::sheet::Kind)]
pub enum Outfit {
    /// 3.4: the bonus of 25 i.p.
    #[wire(name = SpendBonus)]
    Bonus {
        /// Scouts, 3 i.p. or 5 a pair.
        scouts: u32,
        /// Corvettes, 8 i.p.
        corvettes: u32,
        /// Payments into technologies of level 1.
        #[wire(most = LINES_MAX)]
        research: Vec<Payment>,
    },
    /// Fate 2: 15 ship points and two technologies.
    Commission {
        /// Corvettes, one point.
        corvettes: u32,
        /// Scouts, half a point.
        scouts: u32,
        /// The technologies.
        technologies: [Tech; 2],
    },
}

/// One thing that a colony spends i.p. on. The order counts: a technology is usable once it is paid
/// (17.9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::spending::Kind, message = proto::Spending)]
pub enum Spending {
    /// Builds something; transports are built by emigration alone.
    Build { item: Item, count: u32 },
    /// Pays into a technology.
    Research(Payment),
}

/// What one colony does in a production turn.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::ColonyPlan)]
pub struct ColonyPlan {
    /// The colony: one's own, or one that one holds.
    pub planet: PlanetId,
    /// 17.4: how many millions emigrate.
    pub emigrants: u16,
    /// 17.4: how many bonus people come along.
    pub bonus: u16,
    /// Fate 8.7: the whole garrison of a dominion leaves. Then nothing else is planned for it.
    pub evacuate: bool,
    /// What the rest buys, in this order.
    #[wire(most = LINES_MAX)]
    pub spending: Vec<Spending>,
}

/// Command posts after a production turn (7.2).
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::PostPlan)]
pub struct PostPlan {
    /// All stars at which one stands.
    pub stars: Vec<StarId>,
}

/// A production turn of one player: every colony that does anything, in the order in which they are
/// handled.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Produce, check = Self::is_bounded)]
pub struct ProductionSheet {
    /// The colonies; one that is not named does nothing, and its i.p. are lost.
    #[wire(most = LINES_MAX)]
    pub colonies: Vec<ColonyPlan>,
    /// 7.2: stars at which a command post stands when the production turn is over. Nothing leaves
    /// all as they are.
    pub posts: Option<PostPlan>,
    /// Fate 4.2 A: i.p. from the Empire for research alone, paid before the colonies' own.
    #[wire(most = LINES_MAX)]
    pub grant: Vec<Payment>,
}

impl ProductionSheet {
    fn is_bounded(&self) -> Result<()> {
        within_limit("colonies", self.colonies.iter().map(|plan| plan.spending.len() + 1).sum())
    }
}

/// All lines of a sheet together have one limit, so that judging it is bounded.
pub(crate) fn within_limit(name: &str, lines: usize) -> Result<()> {
    if lines > LINES_MAX {
        wrong_field(name, format!("a sheet has at most {LINES_MAX} lines"))
    } else {
        Ok(())
    }
}

/// What a seat has handed in for the phase that is open. Only the seat knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Sheet {
    /// Nothing yet.
    #[default]
    None,
    /// Its choices at setup.
    Outfit(Outfit),
    /// Its production turn.
    Production(ProductionSheet),
    /// Its production turn by decree (space 6.2).
    Decree(DecreeSheet),
}

/// What can be chosen for a colony.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecreeColony {
    /// The colony.
    pub planet: PlanetId,
    /// Its i.p.
    pub output: u32,
    /// Who must emigrate.
    pub emigrants: u16,
    /// Who comes along.
    pub bonus: u16,
    /// The least that goes to what comes first.
    pub least: u32,
    pub most: u32,
    /// What comes first, second, third.
    pub areas: [Area; 3],
    /// What it can buy as weapons now.
    pub weapons: Vec<Item>,
    /// Whether it can buy a shield.
    pub shield: bool,
}

/// What a player chooses for one colony.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::DecreePlan)]
pub struct DecreePlan {
    /// The colony.
    pub planet: PlanetId,
    /// How much goes to what comes first: from half of what transports leave up to all of it.
    /// Nothing is the half.
    pub budget: Option<u32>,
    /// The weapons that are bought, in this order: a shield first, then the dearest, then cheaper
    /// ones. Without any the cheapest that will do are chosen.
    #[wire(most = LINES_MAX)]
    pub weapons: Vec<Build>,
}

/// What a player chooses in a production turn.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Decree, check = Self::is_bounded)]
pub struct DecreeSheet {
    /// The colonies for which anything is chosen.
    #[wire(most = LINES_MAX)]
    pub plans: Vec<DecreePlan>,
    /// 7.2 of the base game: stars at which a command post stands afterwards. Nothing leaves all as
    /// they are.
    pub posts: Option<PostPlan>,
}

impl DecreeSheet {
    fn is_bounded(&self) -> Result<()> {
        within_limit("plans", self.plans.iter().map(|plan| plan.weapons.len() + 1).sum())
    }
}
