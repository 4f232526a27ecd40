//! Reasons why an order is illegal. They depend only on public facts and the power's own orders.

use heliopause_kernel::vocabulary;

vocabulary! {
    /// Why an order is illegal. Illegal orders are ignored (4.E.1).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Fault {
        WrongPhase = "wrong-phase",
        /// The order beams or colonizes, which the standard game does not have.
        NotInThisGame = "not-in-this-game",
        NoSuchUnit = "no-such-unit",
        NotYours = "not-yours",
        Conflicting = "conflicting",
        /// Each of the power's armies in orbit already has an order.
        TooManyLines = "too-many-lines",
        SamePlace = "same-place",
        WrongTerrain = "wrong-terrain",
        NotAdjacent = "not-adjacent",
        CoastUnreachable = "coast-unreachable",
        CoastMissing = "coast-missing",
        NoConvoyPossible = "no-convoy-possible",
        SupportsItself = "supports-itself",
        NobodyToSupport = "nobody-to-support",
        CannotReachSupported = "cannot-reach-supported",
        SupportedMoveImpossible = "supported-move-impossible",
        NotAFleet = "not-a-fleet",
        NotAtSea = "not-at-sea",
        NoArmyToConvoy = "no-army-to-convoy",
        NotOnRoute = "not-on-route",
        OrbitHoldsOrBeams = "orbit-holds-or-beams",
        FleetsAreNotBeamed = "fleets-are-not-beamed",
        /// The province is another empire's colony.
        Jammed = "jammed",
        NoSuchEmpire = "no-such-empire",
        NobodyInOrbit = "nobody-in-orbit",
        NoSupportInOrbit = "no-support-in-orbit",
        SeaIsNoColony = "sea-is-no-colony",
        NotDislodged = "not-dislodged",
        NoRetreat = "no-retreat",
        NotACenter = "not-a-center",
        NotAHome = "not-a-home",
        NotOwned = "not-owned",
        NotAColony = "not-a-colony",
        Occupied = "occupied",
        KindMissing = "kind-missing",
        NothingToBuild = "nothing-to-build",
        NothingToRemove = "nothing-to-remove",
    }
}

impl Fault {
    fn rule_and_sentence(self) -> (&'static str, &'static str) {
        match self {
            Self::WrongPhase => ("D2", "This order is not allowed in this phase."),
            Self::NotInThisGame => {
                ("D3", "Beaming and colonizing are not allowed in the standard game.")
            }
            Self::NoSuchUnit => ("D3.1", "The ordered unit does not exist."),
            Self::NotYours => ("D3.1", "The unit belongs to another power."),
            Self::Conflicting => ("D3.6", "The unit was given two different orders."),
            Self::TooManyLines => ("2", "Every army in orbit already has an order."),
            Self::SamePlace => ("D3.2", "The unit is already there."),
            Self::WrongTerrain => ("D1", "Armies cannot go to sea; fleets cannot go inland."),
            Self::NotAdjacent => ("D3.2", "The unit cannot move there directly."),
            Self::CoastUnreachable => ("D3.2", "The fleet cannot reach that coast."),
            Self::CoastMissing => {
                ("D3.2", "Add the coast, such as Spa/nc: the fleet can reach both.")
            }
            Self::NoConvoyPossible => ("D3.2", "No chain of fleets at sea leads there."),
            Self::SupportsItself => ("D3.3", "A unit cannot support itself."),
            Self::NobodyToSupport => ("D3.3", "The supported unit does not exist."),
            Self::CannotReachSupported => (
                "D3.3",
                "A unit can support only in provinces that it could move to without a convoy.",
            ),
            Self::SupportedMoveImpossible => {
                ("D3.4", "The supported unit could not make that move.")
            }
            Self::NotAFleet => ("D3.5", "Only fleets can convoy."),
            Self::NotAtSea => ("D3.5", "A fleet can convoy only at sea."),
            Self::NoArmyToConvoy => ("D3.5", "The convoyed unit must be an army on a coast."),
            Self::NotOnRoute => ("D3.5", "The fleet is not needed on any convoy route."),
            Self::OrbitHoldsOrBeams => ("R2", "An army in orbit can only hold or beam down."),
            Self::FleetsAreNotBeamed => ("2", "Fleets cannot be beamed."),
            Self::Jammed => ("4", "Another empire's colony jams the beam."),
            Self::NoSuchEmpire => ("R4", "No empire has that code."),
            Self::NobodyInOrbit => ("R4", "That empire has no army in orbit."),
            Self::NoSupportInOrbit => ("R6", "Units in orbit cannot be supported."),
            Self::SeaIsNoColony => ("3", "Only provinces on land can be colonized."),
            Self::NotDislodged => ("D7", "This power has no dislodged unit there."),
            Self::NoRetreat => ("D7", "The unit cannot retreat there."),
            Self::NotACenter => ("D8", "Units can be built only in supply centers."),
            Self::NotAHome => ("D8", "Units can be built only in the power's own home centers."),
            Self::NotOwned => ("D8", "This power does not own that center."),
            Self::NotAColony => ("6", "Units can be built only in the empire's own colonies."),
            Self::Occupied => ("D8", "A unit is already there."),
            Self::KindMissing => ("4.C.3", "Specify an army or a fleet: BUILD A or BUILD F."),
            Self::NothingToBuild => ("D8", "This power has no builds left."),
            Self::NothingToRemove => ("D8", "This power has no removals left."),
        }
    }

    pub fn rule(self) -> &'static str {
        self.rule_and_sentence().0
    }

    pub fn sentence(self) -> &'static str {
        self.rule_and_sentence().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_distinct_reasons() {
        for fault in Fault::ALL {
            assert_eq!(fault.as_str().parse(), Ok(fault));
        }
    }
}
