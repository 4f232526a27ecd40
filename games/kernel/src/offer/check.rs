//! Consistency checks of offers.

use std::collections::BTreeSet;

use super::{FreeText, Kind, ListId, Offer, Offers, Part, Picks, Shares, Slot, ValueId, parts};

impl<O> Offers<O> {
    /// Checks that slots occur in their offers and can be filled, and that references are valid.
    pub fn check(&self) -> Result<(), String> {
        for id in self.lists.iter().flatten() {
            self.check_value(*id)?;
        }
        self.list.iter().try_for_each(|offer| {
            self.check_offer(offer)
                .map_err(|fault| format!("{} `{}`: {fault}", offer.key, offer.notation))
        })
    }

    fn check_offer(&self, offer: &Offer<O>) -> Result<(), String> {
        if offer.group.0 as usize >= self.groups.len() {
            return Err("the heading is missing".to_owned());
        }
        if offer.slots.is_empty() != offer.order.is_some() {
            return Err("an offer must have either slots or an order".to_owned());
        }
        offer.places.iter().chain(&offer.pieces).try_for_each(|id| self.check_value(*id))?;
        for template in [&offer.notation, &offer.label] {
            for part in parts(template) {
                if let Part::Slot(name) = part {
                    let slots = offer.slots.iter().filter(|slot| slot.name == name).count();
                    if slots != 1 {
                        return Err(format!("{slots} slots are called {name:?}; expected one"));
                    }
                }
            }
        }
        for slot in &offer.slots {
            let places =
                parts(&offer.notation).filter(|part| *part == Part::Slot(&slot.name)).count();
            if places != 1 {
                return Err(format!(
                    "slot {} occurs {places} times in the notation; expected once",
                    slot.name
                ));
            }
            self.check_slot(slot).map_err(|fault| format!("slot {}: {fault}", slot.name))?;
        }
        self.check_cost(offer)
    }

    fn check_slot(&self, slot: &Slot) -> Result<(), String> {
        for template in [&slot.text, &slot.phrase] {
            if !template.is_empty() && template.matches("{}").count() != 1 {
                return Err(format!("{template:?} must contain {{}} exactly once"));
            }
        }
        match &slot.kind {
            Kind::Places(picks) | Kind::Pieces(picks) | Kind::Words(picks) => {
                self.check_picks(picks)
            }
            Kind::Number(range) if range.is_empty() || range.step == 0 => {
                Err("its range contains no number".to_owned())
            }
            Kind::Number(_) => Ok(()),
            Kind::Shares(shares) => check_shares(shares),
            Kind::Free(free) => self.check_text(free),
        }
    }

    fn check_picks(&self, picks: &Picks) -> Result<(), String> {
        let list = self.check_list(picks.list)?;
        if picks.least < 1 || picks.most < picks.least || picks.most as usize > list.len() {
            return Err(format!(
                "{} to {} values cannot be chosen from {}",
                picks.least,
                picks.most,
                list.len()
            ));
        }
        if list.iter().collect::<BTreeSet<_>>().len() < list.len() {
            return Err("a value is in its list twice".to_owned());
        }
        Ok(())
    }

    fn check_text(&self, free: &FreeText) -> Result<(), String> {
        if let Some(taken) = free.taken {
            self.check_list(taken)?;
        }
        if free.least < 1 || free.most < free.least || free.lines < 1 {
            return Err("the limits of its length allow no text".to_owned());
        }
        Ok(())
    }

    fn check_list(&self, id: ListId) -> Result<&[ValueId], String> {
        self.lists
            .get(id.0 as usize)
            .map(Vec::as_slice)
            .ok_or_else(|| format!("list {} does not exist", id.0))
    }

    fn check_value(&self, id: ValueId) -> Result<(), String> {
        self.value(id).map(|_| ()).ok_or_else(|| format!("value {} does not exist", id.0))
    }
}

fn check_shares(shares: &Shares) -> Result<(), String> {
    let sum = |number: fn(&super::Share) -> i32| -> i64 {
        shares.shares.iter().map(|share| i64::from(share.cost) * i64::from(number(share))).sum()
    };
    if shares.shares.is_empty() {
        return Err("it has no numbers".to_owned());
    }
    let has_gaps = |share: &&super::Share| {
        let numbers = i64::from(share.most) - i64::from(share.least) + 1;
        !share.costs.is_empty() && share.costs.len() as i64 != numbers
    };
    if let Some(share) = shares.shares.iter().find(has_gaps) {
        return Err(format!("{} numbers have {} costs", share.name(), share.costs.len()));
    }
    let is_wrong = |share: &&super::Share| share.most < share.least || share.least < 0;
    if let Some(share) = shares.shares.iter().find(is_wrong) {
        return Err(format!("a number cannot range from {} to {}", share.least, share.most));
    }
    if sum(|share| share.least) > i64::from(shares.most)
        || sum(|share| share.most) < i64::from(shares.least)
    {
        return Err(format!(
            "the sum of the numbers can never be between {} and {}",
            shares.least, shares.most
        ));
    }
    Ok(())
}
