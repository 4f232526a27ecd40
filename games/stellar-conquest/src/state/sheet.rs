//! Rules 3.4, 17: sheets that players fill in secretly, and may replace until all are ready.

use heliopause_kernel::wire::{Result, Wire, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::outer_space::Area;
use crate::tables::{Item, PlanetId, StarId, Tech};

/// Maximum number of lines in a sheet, more than any legal sheet needs.
pub const LINES_MAX: usize = 4_096;

/// i.p. paid into a technology.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Payment)]
pub struct Payment {
    #[wire(name = technology)]
    pub tech: Tech,
    pub points: u32,
}

/// Items to build.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Build)]
pub struct Build {
    pub item: Item,
    pub count: u32,
}

/// The choices at setup.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(kinds = proto::order::Kind, kinds = proto::sheet::Kind)]
pub enum Outfit {
    #[wire(name = SpendBonus)]
    Bonus {
        /// Number of scouts, at 3 i.p. each or 5 i.p. per pair.
        scouts: u32,
        /// Number of corvettes, at 8 i.p. each.
        corvettes: u32,
        /// Payments into level-1 technologies.
        #[wire(most = LINES_MAX)]
        research: Vec<Payment>,
    },
    Commission {
        /// Number of corvettes, at one point each.
        corvettes: u32,
        /// Number of scouts, at half a point each.
        scouts: u32,
        technologies: [Tech; 2],
    },
}

/// One expense of a colony. Order matters: a technology is usable once paid (rule 17.9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::spending::Kind, message = proto::Spending)]
pub enum Spending {
    /// Builds items other than transports, which are built only by emigration.
    Build {
        item: Item,
        count: u32,
    },
    Research(Payment),
}

/// The plan of a colony for a production turn.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::ColonyPlan)]
pub struct ColonyPlan {
    pub planet: PlanetId,
    /// Millions of people that emigrate (rule 17.4).
    pub emigrants: u16,
    pub bonus: u16,
    /// Whether the whole garrison of a dominion leaves (fate 8.7). Excludes any other plan.
    pub evacuate: bool,
    #[wire(most = LINES_MAX)]
    pub spending: Vec<Spending>,
}

impl ColonyPlan {
    /// Creates the plan of a colony that does nothing.
    pub const fn new(planet: PlanetId) -> Self {
        Self { planet, emigrants: 0, bonus: 0, evacuate: false, spending: Vec::new() }
    }
}

/// Command posts after a production turn (rule 7.2).
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::PostPlan)]
pub struct PostPlan {
    pub stars: Vec<StarId>,
}

/// A player's production turn, with a plan for each colony that does anything, in order.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Produce, check = Self::is_bounded)]
pub struct ProductionSheet {
    /// The colonies. Colonies not listed do nothing and lose their i.p.
    #[wire(most = LINES_MAX)]
    pub colonies: Vec<ColonyPlan>,
    /// Stars with a command post after the production turn (rule 7.2). `None` changes nothing.
    pub posts: Option<PostPlan>,
    /// i.p. from the Empire that only research can use, paid before the colonies' own (fate 4.2 A).
    #[wire(most = LINES_MAX)]
    pub grant: Vec<Payment>,
}

impl ProductionSheet {
    fn is_bounded(&self) -> Result<()> {
        within_limit("colonies", self.colonies.iter().map(|plan| plan.spending.len() + 1).sum())
    }
}

/// Limits the number of lines, and so the cost of judging a sheet.
pub(crate) fn within_limit(name: &str, lines: usize) -> Result<()> {
    if lines > LINES_MAX {
        wrong_field(name, format!("{lines} lines are too many; the maximum is {LINES_MAX}"))
    } else {
        Ok(())
    }
}

/// A seat's submitted sheet for the open phase, visible only to that seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Sheet {
    #[default]
    None,
    Outfit(Outfit),
    Production(ProductionSheet),
    Decree(DecreeSheet),
}

/// The choices for a colony under a decree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecreeColony {
    pub planet: PlanetId,
    pub output: u32,
    /// Millions of people that must emigrate.
    pub emigrants: u16,
    pub bonus: u16,
    /// The minimum i.p. for the top priority.
    pub least: u32,
    pub most: u32,
    pub areas: [Area; 3],
    pub weapons: Vec<Item>,
    pub shield: bool,
}

/// A player's choices for one colony.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::DecreePlan)]
pub struct DecreePlan {
    pub planet: PlanetId,
    /// The top priority's share of the i.p. left after transports. `None` means half, the minimum.
    pub budget: Option<u32>,
    /// Weapons to buy, with a shield first, then the most expensive weapons, then cheaper ones.
    /// Chosen automatically if empty.
    #[wire(most = LINES_MAX)]
    pub weapons: Vec<Build>,
}

/// A player's choices in a production turn by decree.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Decree, check = Self::is_bounded)]
pub struct DecreeSheet {
    #[wire(most = LINES_MAX)]
    pub plans: Vec<DecreePlan>,
    /// Stars with a command post after the production turn (base rule 7.2). `None` changes nothing.
    pub posts: Option<PostPlan>,
}

impl DecreeSheet {
    fn is_bounded(&self) -> Result<()> {
        within_limit("plans", self.plans.iter().map(|plan| plan.weapons.len() + 1).sum())
    }
}
