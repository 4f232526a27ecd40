//! Rule 18: acquired technologies and payments of a power.

use crate::tables::{Tech, TechSet};

/// The technologies of a power, and its payments into others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Research {
    pub owned: TechSet,
    /// i.p. paid, in the order of [`Tech::ALL`]. 0 for owned technologies (rule 18.3).
    paid: [u8; Tech::COUNT],
}

/// The reason why a payment is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadPayment {
    Owned,
    /// No technology of the level below is owned (rule 18.1).
    Closed,
    /// The payment exceeds the missing amount, which is given here (rule 18.3).
    TooMuch(u32),
}

impl Research {
    pub fn owning(owned: TechSet) -> Self {
        Self { owned, paid: [0; Tech::COUNT] }
    }

    pub const fn has(&self, tech: Tech) -> bool {
        self.owned.has(tech)
    }

    pub fn paid(&self, tech: Tech) -> u32 {
        u32::from(self.paid[tech.index()])
    }

    pub fn missing(&self, tech: Tech) -> u32 {
        if self.has(tech) { 0 } else { self.owned.cost(tech).saturating_sub(self.paid(tech)) }
    }

    pub fn judge(&self, tech: Tech, points: u32) -> Result<(), BadPayment> {
        let missing = self.missing(tech);
        if self.has(tech) {
            Err(BadPayment::Owned)
        } else if !self.owned.opens(tech) {
            Err(BadPayment::Closed)
        } else if points > missing {
            Err(BadPayment::TooMuch(missing))
        } else {
            Ok(())
        }
    }

    /// Makes a judged payment (rule 18.3). Returns all technologies that it completes (BR-19).
    pub fn pay(&mut self, tech: Tech, points: u32) -> TechSet {
        debug_assert_eq!(self.judge(tech, points), Ok(()), "a payment is judged first");
        let paid = &mut self.paid[tech.index()];
        *paid = paid.saturating_add(points as u8);
        self.complete()
    }

    /// Grants a technology regardless of level (BR-5, fate 8.8). Returns all technologies acquired.
    pub fn grant(&mut self, tech: Tech) -> TechSet {
        if self.has(tech) {
            return TechSet::NONE;
        }
        self.own(tech);
        self.complete().with(tech)
    }

    fn own(&mut self, tech: Tech) {
        self.owned = self.owned.with(tech);
        self.paid[tech.index()] = 0;
    }

    /// Acquires every technology whose payments reach its current cost, without refunds (BR-19).
    fn complete(&mut self) -> TechSet {
        let mut acquired = TechSet::NONE;
        while let Some(tech) =
            Tech::ALL.into_iter().find(|&tech| self.paid(tech) > 0 && self.missing(tech) == 0)
        {
            self.own(tech);
            acquired = acquired.with(tech);
        }
        acquired
    }

    pub(crate) fn restore(
        owned: TechSet,
        payments: impl IntoIterator<Item = (Tech, u32)>,
    ) -> Option<Self> {
        let mut research = Self::owning(owned);
        for (tech, points) in payments {
            let unpaid = !research.has(tech) && research.paid(tech) == 0;
            if !unpaid || points == 0 || points >= owned.cost(tech) {
                return None;
            }
            research.paid[tech.index()] = u8::try_from(points).ok()?;
        }
        Some(research)
    }

    pub fn payments(&self) -> impl Iterator<Item = (Tech, u32)> {
        Tech::ALL.into_iter().map(|tech| (tech, self.paid(tech))).filter(|&(_, paid)| paid > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owning(techs: impl IntoIterator<Item = Tech>) -> Research {
        Research::owning(techs.into_iter().collect())
    }

    #[test]
    fn rule_18_3_payments_add_up_to_at_most_the_cost() {
        let mut research = owning([]);
        assert_eq!(research.pay(Tech::Fighter, 20), TechSet::NONE);
        assert_eq!(research.judge(Tech::Fighter, 16), Err(BadPayment::TooMuch(15)));
        assert_eq!(research.pay(Tech::Fighter, 15), TechSet::NONE.with(Tech::Fighter));
        assert_eq!(research.judge(Tech::Fighter, 1), Err(BadPayment::Owned));
        assert_eq!(research.judge(Tech::ImprovedShipWeaponry, 1), Err(BadPayment::Closed));
        assert_eq!((research.paid(Tech::Fighter), research.missing(Tech::DeathStar)), (0, 75));
    }

    #[test]
    fn br_19_one_discount_can_complete_the_next() {
        let mut research = owning([Tech::Speed3]);
        research.pay(Tech::Speed6, 50);
        research.pay(Tech::Speed5, 50);
        let acquired = research.pay(Tech::Speed4, 30);
        assert_eq!(acquired, [Tech::Speed4, Tech::Speed5, Tech::Speed6].into_iter().collect());
    }

    #[test]
    fn br_5_gifts_ignore_levels() {
        let mut research = owning([]);
        assert!(research.grant(Tech::RoboticIndustry).has(Tech::RoboticIndustry));
        assert_eq!(research.grant(Tech::RoboticIndustry), TechSet::NONE);
        assert_eq!(Research::restore(research.owned, []), Some(research));
        assert_eq!(Research::restore(TechSet::NONE, [(Tech::Speed3, 15)]), None);
    }
}
