//! Why an order cannot be carried out, whatever the others order.

use std::fmt;

/// Why an order is illegal. Illegal orders are ignored, as if they had not been given (4.E.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// Such orders belong to another phase.
    WrongPhase,
    /// There is no beaming and no colonizing in the standard game.
    NotInThisGame,
    /// No unit stands there.
    NoSuchUnit,
    /// The unit belongs to another power.
    NotYours,
    /// Two different orders for one unit.
    Conflicting,
    /// More lines for armies in orbit than there are.
    TooManyLines,
    /// A move to where the unit is.
    SamePlace,
    /// The unit cannot enter such a province.
    WrongTerrain,
    /// There is no border to cross.
    NotAdjacent,
    /// The coast cannot be reached.
    CoastUnreachable,
    /// The coast must be named.
    CoastMissing,
    /// No chain of fleets leads there.
    NoConvoyPossible,
    /// A unit supports itself.
    SupportsItself,
    /// Nobody stands where support is given.
    NobodyToSupport,
    /// The supporter could not go there itself.
    CannotReachSupported,
    /// The supported unit could not make that move.
    SupportedMoveImpossible,
    /// Only fleets convoy.
    NotAFleet,
    /// Fleets convoy at sea only.
    NotAtSea,
    /// No army stands where the convoy begins.
    NoArmyToConvoy,
    /// The fleet is on no useful route.
    NotOnRoute,
    /// An army in orbit can only hold or beam down.
    OrbitHoldsOrBeams,
    /// Fleets are too heavy to beam.
    FleetsAreNotBeamed,
    /// The province is another empire's colony.
    Jammed,
    /// No empire is called so.
    NoSuchEmpire,
    /// The empire has no army in orbit.
    NobodyInOrbit,
    /// What happens in orbit cannot be supported.
    NoSupportInOrbit,
    /// A sea cannot be colonized.
    SeaIsNoColony,
    /// The unit was not dislodged.
    NotDislodged,
    /// The unit cannot retreat there.
    NoRetreat,
    /// No center.
    NotACenter,
    /// Not a home center.
    NotAHome,
    /// The center is not owned.
    NotOwned,
    /// The center is no colony of the builder.
    NotAColony,
    /// A unit is there.
    Occupied,
    /// The letter of the unit is missing.
    KindMissing,
    /// There is nothing to build, or no more.
    NothingToBuild,
    /// There is nothing to remove, or no more.
    NothingToRemove,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 37] = [
        Self::WrongPhase,
        Self::NotInThisGame,
        Self::NoSuchUnit,
        Self::NotYours,
        Self::Conflicting,
        Self::TooManyLines,
        Self::SamePlace,
        Self::WrongTerrain,
        Self::NotAdjacent,
        Self::CoastUnreachable,
        Self::CoastMissing,
        Self::NoConvoyPossible,
        Self::SupportsItself,
        Self::NobodyToSupport,
        Self::CannotReachSupported,
        Self::SupportedMoveImpossible,
        Self::NotAFleet,
        Self::NotAtSea,
        Self::NoArmyToConvoy,
        Self::NotOnRoute,
        Self::OrbitHoldsOrBeams,
        Self::FleetsAreNotBeamed,
        Self::Jammed,
        Self::NoSuchEmpire,
        Self::NobodyInOrbit,
        Self::NoSupportInOrbit,
        Self::SeaIsNoColony,
        Self::NotDislodged,
        Self::NoRetreat,
        Self::NotACenter,
        Self::NotAHome,
        Self::NotOwned,
        Self::NotAColony,
        Self::Occupied,
        Self::KindMissing,
        Self::NothingToBuild,
        Self::NothingToRemove,
    ];

    /// The reason for machines, its rule, and a sentence for people.
    fn told(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::WrongPhase => ("wrong-phase", "D2", "This order belongs to another phase."),
            Self::NotInThisGame => {
                ("not-in-this-game", "D3", "Nobody beams or colonizes in the standard game.")
            }
            Self::NoSuchUnit => ("no-such-unit", "D3.1", "No unit is there."),
            Self::NotYours => ("not-yours", "D3.1", "The unit belongs to another power."),
            Self::Conflicting => {
                ("conflicting", "D3.6", "The unit was given two different orders.")
            }
            Self::TooManyLines => ("too-many-lines", "2", "There are not so many armies in orbit."),
            Self::SamePlace => ("same-place", "D3.2", "The unit is there already."),
            Self::WrongTerrain => {
                ("wrong-terrain", "D1", "Armies stay on land, fleets at sea and on coasts.")
            }
            Self::NotAdjacent => {
                ("not-adjacent", "D3.2", "The unit cannot cross from here to there.")
            }
            Self::CoastUnreachable => {
                ("coast-unreachable", "D3.2", "The fleet cannot reach that coast.")
            }
            Self::CoastMissing => ("coast-missing", "D3.2", "Name the coast: both can be reached."),
            Self::NoConvoyPossible => {
                ("no-convoy-possible", "D3.2", "No chain of fleets at sea leads there.")
            }
            Self::SupportsItself => ("supports-itself", "D3.3", "A unit cannot support itself."),
            Self::NobodyToSupport => {
                ("nobody-to-support", "D3.3", "No unit stands where support is given.")
            }
            Self::CannotReachSupported => (
                "cannot-reach-supported",
                "D3.3",
                "A unit supports only where it could go itself, without a convoy.",
            ),
            Self::SupportedMoveImpossible => (
                "supported-move-impossible",
                "D3.4",
                "The supported unit could not make that move.",
            ),
            Self::NotAFleet => ("not-a-fleet", "D3.5", "Only fleets convoy."),
            Self::NotAtSea => ("not-at-sea", "D3.5", "A fleet convoys only at sea."),
            Self::NoArmyToConvoy => {
                ("no-army-to-convoy", "D3.5", "No army on a coast begins that convoy.")
            }
            Self::NotOnRoute => {
                ("not-on-route", "D3.5", "The fleet is on no useful route from there to there.")
            }
            Self::OrbitHoldsOrBeams => {
                ("orbit-holds-or-beams", "R2", "An army in orbit can only hold or beam down.")
            }
            Self::FleetsAreNotBeamed => ("fleets-are-not-beamed", "2", "Fleets are never beamed."),
            Self::Jammed => ("jammed", "4", "Another empire's colony jams the beam."),
            Self::NoSuchEmpire => ("no-such-empire", "R4", "No empire is called so."),
            Self::NobodyInOrbit => ("nobody-in-orbit", "R4", "That empire has no army in orbit."),
            Self::NoSupportInOrbit => {
                ("no-support-in-orbit", "R6", "Nothing can be supported in orbit.")
            }
            Self::SeaIsNoColony => {
                ("sea-is-no-colony", "3", "Only land and coasts can be colonized.")
            }
            Self::NotDislodged => ("not-dislodged", "D7", "No unit of yours was dislodged there."),
            Self::NoRetreat => ("no-retreat", "D7", "The unit cannot retreat there."),
            Self::NotACenter => ("not-a-center", "D8", "Units are built in supply centers."),
            Self::NotAHome => ("not-a-home", "D8", "Units are built in home centers."),
            Self::NotOwned => ("not-owned", "D8", "You do not own that center."),
            Self::NotAColony => ("not-a-colony", "6", "Units are built only in own colonies."),
            Self::Occupied => ("occupied", "D8", "A unit is there."),
            Self::KindMissing => {
                ("kind-missing", "4.C.3", "Say whether an army or a fleet is built.")
            }
            Self::NothingToBuild => ("nothing-to-build", "D8", "You have no build, or no more."),
            Self::NothingToRemove => {
                ("nothing-to-remove", "D8", "You have nothing to remove, or no more.")
            }
        }
    }

    /// The reason for machines, in `kebab-case`.
    pub fn reason(self) -> &'static str {
        self.told().0
    }

    /// The number of the rule.
    pub fn rule(self) -> &'static str {
        self.told().1
    }

    /// The fault with this reason.
    pub fn with_reason(reason: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.reason() == reason)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.told().2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_a_reason_of_its_own() {
        for fault in Fault::ALL {
            assert_eq!(Fault::with_reason(fault.reason()), Some(fault), "{fault:?}");
        }
    }
}
