//! Why an order cannot be carried out, whatever the others order.

use heliopause_kernel::vocabulary;

vocabulary! {
    /// Why an order is illegal. Illegal orders are ignored, as if they had not been given (4.E.1).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Fault {
        /// Such orders belong to another phase.
        WrongPhase = "wrong-phase",
        /// There is no beaming and no colonizing in the standard game.
        NotInThisGame = "not-in-this-game",
        /// No unit stands there.
        NoSuchUnit = "no-such-unit",
        /// The unit belongs to another power.
        NotYours = "not-yours",
        /// Two different orders for one unit.
        Conflicting = "conflicting",
        /// More lines for armies in orbit than there are.
        TooManyLines = "too-many-lines",
        /// A move to where the unit is.
        SamePlace = "same-place",
        /// The unit cannot enter such a province.
        WrongTerrain = "wrong-terrain",
        /// There is no border to cross.
        NotAdjacent = "not-adjacent",
        /// The coast cannot be reached.
        CoastUnreachable = "coast-unreachable",
        /// The coast must be named.
        CoastMissing = "coast-missing",
        /// No chain of fleets leads there.
        NoConvoyPossible = "no-convoy-possible",
        /// A unit supports itself.
        SupportsItself = "supports-itself",
        /// Nobody stands where support is given.
        NobodyToSupport = "nobody-to-support",
        /// The supporter could not go there itself.
        CannotReachSupported = "cannot-reach-supported",
        /// The supported unit could not make that move.
        SupportedMoveImpossible = "supported-move-impossible",
        /// Only fleets convoy.
        NotAFleet = "not-a-fleet",
        /// Fleets convoy at sea only.
        NotAtSea = "not-at-sea",
        /// No army stands where the convoy begins.
        NoArmyToConvoy = "no-army-to-convoy",
        /// The fleet is on no useful route.
        NotOnRoute = "not-on-route",
        /// An army in orbit can only hold or beam down.
        OrbitHoldsOrBeams = "orbit-holds-or-beams",
        /// Fleets are too heavy to beam.
        FleetsAreNotBeamed = "fleets-are-not-beamed",
        /// The province is another empire's colony.
        Jammed = "jammed",
        /// No empire is called so.
        NoSuchEmpire = "no-such-empire",
        /// The empire has no army in orbit.
        NobodyInOrbit = "nobody-in-orbit",
        /// What happens in orbit cannot be supported.
        NoSupportInOrbit = "no-support-in-orbit",
        /// A sea cannot be colonized.
        SeaIsNoColony = "sea-is-no-colony",
        /// The unit was not dislodged.
        NotDislodged = "not-dislodged",
        /// The unit cannot retreat there.
        NoRetreat = "no-retreat",
        /// No center.
        NotACenter = "not-a-center",
        /// Not a home center.
        NotAHome = "not-a-home",
        /// The center is not owned.
        NotOwned = "not-owned",
        /// The center is no colony of the builder.
        NotAColony = "not-a-colony",
        /// A unit is there.
        Occupied = "occupied",
        /// The letter of the unit is missing.
        KindMissing = "kind-missing",
        /// There is nothing to build, or no more.
        NothingToBuild = "nothing-to-build",
        /// There is nothing to remove, or no more.
        NothingToRemove = "nothing-to-remove",
    }
}

impl Fault {
    /// Its rule, and a sentence for people.
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::WrongPhase => ("D2", "This order belongs to another phase."),
            Self::NotInThisGame => ("D3", "Nobody beams or colonizes in the standard game."),
            Self::NoSuchUnit => ("D3.1", "No unit is there."),
            Self::NotYours => ("D3.1", "The unit belongs to another power."),
            Self::Conflicting => ("D3.6", "The unit was given two different orders."),
            Self::TooManyLines => ("2", "There are not so many armies in orbit."),
            Self::SamePlace => ("D3.2", "The unit is there already."),
            Self::WrongTerrain => ("D1", "Armies stay on land, fleets at sea and on coasts."),
            Self::NotAdjacent => ("D3.2", "The unit cannot cross from here to there."),
            Self::CoastUnreachable => ("D3.2", "The fleet cannot reach that coast."),
            Self::CoastMissing => ("D3.2", "Name the coast: both can be reached."),
            Self::NoConvoyPossible => ("D3.2", "No chain of fleets at sea leads there."),
            Self::SupportsItself => ("D3.3", "A unit cannot support itself."),
            Self::NobodyToSupport => ("D3.3", "No unit stands where support is given."),
            Self::CannotReachSupported => {
                ("D3.3", "A unit supports only where it could go itself, without a convoy.")
            }
            Self::SupportedMoveImpossible => {
                ("D3.4", "The supported unit could not make that move.")
            }
            Self::NotAFleet => ("D3.5", "Only fleets convoy."),
            Self::NotAtSea => ("D3.5", "A fleet convoys only at sea."),
            Self::NoArmyToConvoy => ("D3.5", "No army on a coast begins that convoy."),
            Self::NotOnRoute => ("D3.5", "The fleet is on no useful route from there to there."),
            Self::OrbitHoldsOrBeams => ("R2", "An army in orbit can only hold or beam down."),
            Self::FleetsAreNotBeamed => ("2", "Fleets are never beamed."),
            Self::Jammed => ("4", "Another empire's colony jams the beam."),
            Self::NoSuchEmpire => ("R4", "No empire is called so."),
            Self::NobodyInOrbit => ("R4", "That empire has no army in orbit."),
            Self::NoSupportInOrbit => ("R6", "Nothing can be supported in orbit."),
            Self::SeaIsNoColony => ("3", "Only land and coasts can be colonized."),
            Self::NotDislodged => ("D7", "No unit of yours was dislodged there."),
            Self::NoRetreat => ("D7", "The unit cannot retreat there."),
            Self::NotACenter => ("D8", "Units are built in supply centers."),
            Self::NotAHome => ("D8", "Units are built in home centers."),
            Self::NotOwned => ("D8", "You do not own that center."),
            Self::NotAColony => ("6", "Units are built only in own colonies."),
            Self::Occupied => ("D8", "A unit is there."),
            Self::KindMissing => ("4.C.3", "Say whether an army or a fleet is built."),
            Self::NothingToBuild => ("D8", "You have no build, or no more."),
            Self::NothingToRemove => ("D8", "You have nothing to remove, or no more."),
        }
    }

    /// The number of the rule.
    pub fn rule(self) -> &'static str {
        self.told().0
    }

    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        self.told().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_a_reason_of_its_own() {
        for fault in Fault::ALL {
            assert_eq!(fault.as_str().parse(), Ok(fault));
        }
    }
}
