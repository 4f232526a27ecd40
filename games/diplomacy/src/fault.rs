//! Reasons why an order is illegal. They depend only on public facts and the power's own orders.

use std::collections::BTreeMap;
use std::sync::LazyLock;

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
        /// A conditional order has no choices, or the same choice twice.
        BadChoices = "bad-choices",
    }
}

/// The rows of `faults.txt` by reason: field, rule and sentence.
static ROWS: LazyLock<BTreeMap<&str, [&str; 3]>> = LazyLock::new(|| {
    let rows = include_str!("faults.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut cells = line.splitn(4, '|');
        let [reason, field, rule, sentence] =
            std::array::from_fn(|_| cells.next().expect("each fault has four cells"));
        (reason, [field, rule, sentence])
    };
    rows.map(row).collect()
});

impl Fault {
    fn row(self) -> [&'static str; 3] {
        *ROWS.get(self.as_str()).expect("faults.txt has every reason")
    }

    /// Returns the field of an order that is wrong.
    pub(crate) fn field(self) -> &'static str {
        self.row()[0]
    }

    pub fn rule(self) -> &'static str {
        self.row()[1]
    }

    pub fn sentence(self) -> &'static str {
        self.row()[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_distinct_reasons_and_texts() {
        for fault in Fault::ALL {
            assert_eq!(fault.as_str().parse(), Ok(fault));
            assert!(fault.field().starts_with("order") && fault.sentence().ends_with('.'));
        }
    }
}
