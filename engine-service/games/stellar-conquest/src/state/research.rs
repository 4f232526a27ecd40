//! Rule 18: what a power has acquired and paid.

use crate::tables::technology::{Tech, TechSet};

/// A power's research.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Research {
    /// The technologies that it owns.
    pub owned: TechSet,
    /// i.p. paid into each of the others (18.3), in the order of [`Tech::ALL`]. What is owned has 0
    /// here.
    paid: [u8; Tech::COUNT],
}

/// Why a payment cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadPayment {
    /// It is owned already.
    Owned,
    /// No title of the level below is owned (18.1).
    Closed,
    /// More than is missing (18.3); so much is.
    TooMuch(u32),
}

impl Research {
    /// Research of a power that owns these.
    pub fn owning(owned: TechSet) -> Self {
        Self { owned, paid: [0; Tech::COUNT] }
    }

    /// Whether a technology is owned.
    pub const fn has(&self, tech: Tech) -> bool {
        self.owned.has(tech)
    }

    /// i.p. paid into a technology that is not owned.
    pub fn paid(&self, tech: Tech) -> u32 {
        u32::from(self.paid[tech.index()])
    }

    /// i.p. that are missing: the cost valid now, less what was paid (18.3). Nothing if it is
    /// owned.
    pub fn missing(&self, tech: Tech) -> u32 {
        if self.has(tech) { 0 } else { self.owned.cost(tech).saturating_sub(self.paid(tech)) }
    }

    /// 18.1, 18.3: whether a payment can be made.
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

    /// 18.3: makes a payment that was judged. Says what was acquired: with a technology whose price
    /// is reached, others that it makes cheap enough (BR-19).
    pub fn pay(&mut self, tech: Tech, points: u32) -> TechSet {
        debug_assert_eq!(self.judge(tech, points), Ok(()), "a payment is judged first");
        let paid = &mut self.paid[tech.index()];
        *paid = paid.saturating_add(points as u8);
        self.complete()
    }

    /// Acquires a technology without paying, whatever its level (BR-5, fate 8.8). Says what was
    /// acquired.
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

    /// BR-19: acquires everything whose payments reach the cost that is valid now. Nothing is
    /// refunded.
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

    /// The research with these payments, for positions; `None` if it breaks a rule.
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

    /// The payments that are under way, in the order of the research chart.
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
    fn rule_18_3_payments_add_up_and_never_exceed_what_is_missing() {
        let mut research = owning([]);
        assert_eq!(research.pay(Tech::Fighter, 20), TechSet::NONE);
        assert_eq!(research.judge(Tech::Fighter, 16), Err(BadPayment::TooMuch(15)));
        assert_eq!(research.pay(Tech::Fighter, 15), TechSet::NONE.with(Tech::Fighter));
        assert_eq!(research.judge(Tech::Fighter, 1), Err(BadPayment::Owned));
        assert_eq!(research.judge(Tech::ImprovedShipWeaponry, 1), Err(BadPayment::Closed));
        assert_eq!((research.paid(Tech::Fighter), research.missing(Tech::DeathStar)), (0, 75));
    }

    #[test]
    fn bt_30_a_death_star_is_completed_with_its_predecessor() {
        let mut research = owning([Tech::Fighter]);
        research.pay(Tech::DeathStar, 60);
        assert_eq!(research.missing(Tech::DeathStar), 15);
        assert!(research.pay(Tech::DeathStar, 15).has(Tech::DeathStar));
    }

    #[test]
    fn bt_31_a_discount_that_becomes_valid_later_completes_a_title() {
        let mut research = owning([Tech::Fighter]);
        research.pay(Tech::AdvancedMissileBase, 45);
        let acquired = research.pay(Tech::MissileBase, 25);
        assert!(acquired.has(Tech::MissileBase) && acquired.has(Tech::AdvancedMissileBase));
        assert_eq!(research.paid(Tech::AdvancedMissileBase), 0);
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
