//! 4.1 to 4.3, notes 2: ship classes, their tonnage and cost.

use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::exponential::exp;
use crate::hull::{Component, Hull, Ratings};
use crate::ids::ClassId;
use crate::name::Name;
use crate::operational::Damage;

/// Maximum cost and tonnage of a class, which prevents overflow (R5).
pub const SIZE_MAX: u32 = 999_999;

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ShipClass)]
pub struct Class {
    /// The name, which is unique in the session (R38).
    pub name: Name,
    pub hull: Hull,
    pub ratings: Ratings,
    pub tonnage: u32,
    pub cost: u32,
    pub unbuildable: bool,
}

/// A class designed by an empire (6.5.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Design {
    Ship(Hull, Ratings),
    Missile { guns: u16, tonnage: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadDesign {
    Rating,
    TooBig,
}

impl Design {
    pub fn class(self, name: Name) -> Result<Class, BadDesign> {
        match self {
            Self::Ship(Hull::Missile, _) => Err(BadDesign::Rating),
            Self::Ship(hull, ratings) => {
                if !hull.allows(ratings) {
                    return Err(BadDesign::Rating);
                }
                Class::sized(name, hull, ratings).ok_or(BadDesign::TooBig)
            }
            Self::Missile { guns, tonnage } => {
                let ratings = Ratings { guns, ..Hull::Missile.base() };
                if tonnage == 0 || !Hull::Missile.allows(ratings) {
                    return Err(BadDesign::Rating);
                }
                Class::missile(name, guns, tonnage).ok_or(BadDesign::TooBig)
            }
        }
    }
}

impl Class {
    /// Computes cost and tonnage (notes 2.2) without checking the limits of the hull. Returns
    /// `None` if the cost or tonnage exceeds [`SIZE_MAX`].
    pub(crate) fn sized(name: Name, hull: Hull, ratings: Ratings) -> Option<Self> {
        let base = hull.parameters();
        let parts = base.components.into_iter().zip(ratings.list());
        let (mut cost, mut tonnage) = (i64::from(base.cost), i64::from(base.tonnage));
        for (component, rating) in parts {
            cost += term(component, rating, component.cost_halves)?;
            tonnage += term(component, rating, component.tonnage_halves)?;
        }
        let limit = |sum: i64| u32::try_from(sum.max(1)).ok().filter(|&size| size <= SIZE_MAX);
        Some(Self {
            name,
            hull,
            ratings,
            tonnage: limit(tonnage)?,
            cost: limit(cost)?,
            unbuildable: false,
        })
    }

    /// Makes a missile class (notes 2.4, R3). Returns `None` if its cost or tonnage exceeds
    /// [`SIZE_MAX`].
    pub(crate) fn missile(name: Name, guns: u16, tonnage: u32) -> Option<Self> {
        let power = f64::from(guns) / (13.5 * f64::from(tonnage));
        if tonnage > SIZE_MAX || power > LARGEST_POWER {
            return None;
        }
        let cost = (exp(power) as u32).max(1);
        let ratings = Ratings { guns, ..Hull::Missile.base() };
        (cost <= SIZE_MAX).then_some(Self {
            name,
            hull: Hull::Missile,
            ratings,
            tonnage,
            cost,
            unbuildable: false,
        })
    }

    /// 6.5.2: returns the RU that designing the class costs.
    pub fn fee(&self) -> u32 {
        if self.hull.is_missile() { 0 } else { self.cost.div_ceil(2) }
    }

    /// 4.1: returns the damage points that a ship repairs automatically each turn (R6).
    pub fn auto_repair(&self) -> u16 {
        (self.ratings.dp / 10).max(1)
    }

    pub fn damage(&self, dp: u16) -> Damage {
        Damage { dp, class_dp: self.ratings.dp }
    }

    pub fn is_missile(&self) -> bool {
        self.hull.is_missile()
    }
}

/// The exponential of any larger number exceeds [`SIZE_MAX`].
const LARGEST_POWER: f64 = 14.0;

/// Computes the cost or tonnage of one component: 0 at the base rating, otherwise the exponential
/// of the difference divided by the divisor, rounded up (R1), and negative below the base (R2).
/// Returns `None` if the result certainly exceeds [`SIZE_MAX`].
pub(crate) fn term(component: Component, rating: u16, halves: u16) -> Option<i64> {
    let delta = i32::from(rating) - i32::from(component.base);
    if delta == 0 {
        return Some(0);
    }
    let power = f64::from(delta.abs()) * 2.0 / f64::from(halves);
    if power > LARGEST_POWER {
        return None;
    }
    let size = exp(power).ceil() as i64;
    Some(if delta > 0 { size } else { -size })
}

/// Number of classes that every empire knows from the start (4.3, R4).
pub const STOCK: usize = 8;

/// The starbase class, which has special rules. Stock classes come first in every session.
pub const STARBASE: ClassId = ClassId(0);

/// Returns the stock classes: the starbase first, then one class per hull.
pub fn stock() -> [Class; STOCK] {
    let name = |text: &str| Name::new(text).expect("the names of the stock classes are valid");
    let plain = |text: &str, hull: Hull| {
        Class::sized(name(text), hull, hull.base())
            .expect("the stock classes are within the size limit")
    };
    let starbase = Class {
        name: name("starbase"),
        hull: Hull::Orbital,
        ratings: Ratings::new(150, 200, 0, 2, 10),
        tonnage: 999,
        cost: 0,
        unbuildable: true,
    };
    [
        starbase,
        plain("battleship", Hull::CapitalShip),
        plain("gunship", Hull::Gunship),
        Class::missile(name("nuke"), 8, 1).expect("the stock missile is within the size limit"),
        plain("station", Hull::Orbital),
        plain("carrier", Hull::Transport),
        plain("probe", Hull::Scout),
        plain("fighter", Hull::Wing),
    ]
}

pub(crate) fn with_stock(given: Vec<Class>) -> Vec<Class> {
    let stock = stock();
    if given.starts_with(&stock) { given } else { stock.into_iter().chain(given).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_term_is_close_enough_to_an_integer_to_round_wrong() {
        for halves in [3, 4, 6, 10, 20, 30, 40_u16] {
            for delta in 1..=u32::from(halves) * 7 {
                let value = exp(f64::from(delta) * 2.0 / f64::from(halves));
                let off = (value - value.round()).abs();
                assert!(off > 1e-7, "{delta} over {halves} halves: {value}");
            }
        }
    }
}
