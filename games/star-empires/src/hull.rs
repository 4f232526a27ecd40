//! 4.2, notes 2.1: hulls and the cost of their components.

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

vocabulary! {
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::Hull)]
    pub enum Hull in any case {
        CapitalShip = "capital_ship",
        Gunship = "gunship",
        /// A hull that cannot move (4.2.4).
        Orbital = "orbital",
        Transport = "transport",
        Scout = "scout",
        /// A hull carried by other ships, and the first target of enemy fire (4.2.6).
        Wing = "wing",
        /// A hull carried by other ships, and used up when fired (4.2.3).
        Missile = "missile",
    }
}

/// The five ratings of a class (4.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Ratings)]
pub struct Ratings {
    /// Shots per turn.
    pub guns: u16,
    /// Damage points.
    pub dp: u16,
    /// Sectors per turn.
    pub engines: u16,
    /// Range of the long-range scan.
    pub scan: u16,
    /// Tonnage of cargo.
    pub racks: u16,
}

impl Ratings {
    pub const fn new(guns: u16, dp: u16, engines: u16, scan: u16, racks: u16) -> Self {
        Self { guns, dp, engines, scan, racks }
    }

    pub(crate) const fn of([guns, dp, engines, scan, racks]: [u16; 5]) -> Self {
        Self { guns, dp, engines, scan, racks }
    }

    pub const fn list(self) -> [u16; 5] {
        [self.guns, self.dp, self.engines, self.scan, self.racks]
    }
}

/// Maximum of any rating, which prevents overflow (R5).
pub const RATING_MAX: u16 = 9_999;

/// Limits and prices of one component. Divisors are stored doubled because some are 1.5.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Component {
    pub base: u16,
    pub most: u16,
    pub cost_halves: u16,
    pub tonnage_halves: u16,
}

const fn fixed(rating: u16) -> Component {
    Component { base: rating, most: rating, cost_halves: 2, tonnage_halves: 2 }
}

impl Component {
    pub(crate) const fn is_fixed(self) -> bool {
        self.base == self.most
    }
}

/// A hull's base tonnage and cost, and its components: guns, damage points, engines, scan, racks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters {
    pub components: [Component; 5],
    pub tonnage: u32,
    pub cost: u32,
}

impl Hull {
    pub const fn is_missile(self) -> bool {
        matches!(self, Self::Missile)
    }

    /// Returns the hull's row of the table in notes 2.1. A rating without divisors is fixed.
    pub(crate) fn parameters(self) -> Parameters {
        let (tonnage, cost, base, cost_halves, tonnage_halves) = match self {
            Self::CapitalShip => {
                (30, 28, [35, 40, 2, 2, 1], [30, 30, 3, 3, 3], [40, 40, 10, 10, 4])
            }
            Self::Gunship => (10, 15, [20, 10, 2, 0, 0], [30, 20, 4, 3, 3], [40, 20, 10, 10, 4]),
            Self::Orbital => (20, 25, [30, 40, 0, 1, 2], [20, 30, 0, 4, 6], [20, 40, 0, 10, 4]),
            Self::Transport => (15, 10, [5, 10, 2, 1, 2], [10, 20, 6, 3, 6], [10, 20, 10, 10, 4]),
            Self::Scout => (2, 2, [1, 1, 3, 3, 0], [10, 10, 6, 6, 3], [10, 10, 10, 10, 4]),
            Self::Wing => (1, 1, [5, 5, 0, 0, 0], [30, 30, 0, 0, 0], [40, 40, 0, 0, 0]),
            // The cost of a missile depends on its guns and tonnage. See `class`.
            Self::Missile => (1, 1, [8, 1, 0, 0, 0], [2, 0, 0, 0, 0], [2, 0, 0, 0, 0]),
        };
        let is_scout = matches!(self, Self::Scout);
        let most = if is_scout { [5, 5, RATING_MAX, RATING_MAX, 1] } else { [RATING_MAX; 5] };
        let component = |nth: usize| match (cost_halves[nth], tonnage_halves[nth]) {
            (0, 0) => fixed(base[nth]),
            (cost_halves, tonnage_halves) => {
                Component { base: base[nth], most: most[nth], cost_halves, tonnage_halves }
            }
        };
        Parameters { components: std::array::from_fn(component), tonnage, cost }
    }

    pub(crate) fn base_cost(self) -> u32 {
        self.parameters().cost
    }

    pub fn base(self) -> Ratings {
        Ratings::of(self.parameters().components.map(|component| component.base))
    }

    /// Returns the lowest ratings that a design may have (4.1, R5).
    pub fn least(self) -> Ratings {
        let fixed = |index: usize| {
            let component = self.parameters().components[index];
            if component.is_fixed() { component.base } else { 0 }
        };
        Ratings { guns: 1, dp: fixed(1).max(1), engines: fixed(2), scan: fixed(3), racks: fixed(4) }
    }

    pub fn most(self) -> Ratings {
        Ratings::of(self.parameters().components.map(|component| component.most))
    }

    pub fn allows(self, ratings: Ratings) -> bool {
        let limits = self.least().list().into_iter().zip(self.most().list());
        limits.zip(ratings.list()).all(|((least, most), rating)| (least..=most).contains(&rating))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn situation_6_hulls_reject_ratings_out_of_bounds() {
        let base = Hull::base;
        let refused = [
            (Hull::Scout, Ratings { guns: 6, ..base(Hull::Scout) }),
            (Hull::Scout, Ratings { racks: 2, ..base(Hull::Scout) }),
            (Hull::Orbital, Ratings { engines: 1, ..base(Hull::Orbital) }),
            (Hull::Wing, Ratings { scan: 1, ..base(Hull::Wing) }),
            (Hull::Missile, Ratings { dp: 2, ..base(Hull::Missile) }),
            (Hull::CapitalShip, Ratings { racks: 10_000, ..base(Hull::CapitalShip) }),
        ];
        for (hull, ratings) in refused {
            assert!(!hull.allows(ratings), "{hull} {ratings:?}");
        }
        for hull in Hull::ALL {
            assert!(hull.allows(base(hull)));
            assert!(!hull.allows(Ratings { guns: 0, ..base(hull) }));
            assert!(!hull.allows(Ratings { dp: 0, ..base(hull) }));
            assert_eq!(hull.as_str().to_uppercase().parse(), Ok(hull));
        }
    }
}
