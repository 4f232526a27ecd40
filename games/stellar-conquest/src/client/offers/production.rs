//! Offers for the sheets of setup, production turns and decrees. Lines for one colony add up.

use heliopause_kernel::offer::{Draft, Phrase, Picks, Share, Shares, Slot, Stock, StockId, Weight};

use crate::client::choices::kinds::{Choices, ColonyChoices, DecreeChoices, ProductionChoices};
use crate::client::notation::words::{SCOUT_PAIRS, item_words, write_planet};
use crate::client::offers::slots::{
    colony_name, offer, offer_listed, points_slot, several, shares_slot, signed, star_value,
    stars_slot, words,
};
use crate::rules::campaign::fate::commission;
use crate::rules::most::most;
use crate::rules::setup::BONUS;
use crate::state::{
    ColonyPlan, DecreeSheet, Order, Outfit, Payment, PostPlan, ProductionSheet, SeatView, Spending,
};
use crate::tables::{Item, PlanetId, StarId, Tech, TechSet};

const SHEET_HEADING: &str = "The whole sheet";

/// Returns a share that is written as `text` and said as `words`, for one and for several.
fn share(text: String, words: [String; 2], most: u32, cost: u32) -> Share {
    let [singular, phrase] = words.map(Phrase::from);
    let text = text.into();
    Share { text, phrase, singular, most: signed(most), cost, ..Share::default() }
}

fn item_share(item: Item, most: u32, cost: u32) -> Share {
    let words = item_words(item).map(|word| word.replace('-', " "));
    let [one, several] = words;
    let words = [format!("1 {one}"), format!("{{}} {several}")];
    share(format!("{{}} {}", item_words(item)[1]), words, most, cost)
}

fn spending(name: &'static str, shares: Vec<Share>, points: u32) -> Option<Slot> {
    let least = shares.iter().filter(|share| share.most > 0).map(|share| share.cost).min()?;
    let shares =
        Shares { shares, least: 1, most: signed(points), separator: "; ".into(), zeros: false };
    (least <= points).then(|| shares_slot(name, "what", shares))
}

/// Returns shares for pairs of scouts and for a single scout. Pairs are cheaper (rule 17.5).
fn scouts(points: u32) -> [Share; 2] {
    let pair = Item::Scout.price(2, TechSet::NONE);
    let one = Item::Scout.price(1, TechSet::NONE);
    [
        share(
            format!("{{}} {SCOUT_PAIRS}"),
            ["1 pair of scouts", "{} pairs of scouts"].map(String::from),
            points / pair,
            pair,
        ),
        Share {
            label: "single scout".into(),
            ..item_share(Item::Scout, u32::from(points >= one), one)
        },
    ]
}

fn payments(techs: impl IntoIterator<Item = Payment>) -> Vec<Share> {
    let pay = |Payment { tech, points }: Payment| {
        let words = ["1", "{}"].map(|number| format!("{number} into {}", tech.title().name));
        let paid = share(format!("{{}} into {}", tech.title().code), words, points, 1);
        Share { label: tech.title().name.into(), ..paid }
    };
    techs.into_iter().filter(|payment| payment.points > 0).map(pay).collect()
}

fn goods(items: impl IntoIterator<Item = (Item, u32)>, owned: TechSet, points: u32) -> Vec<Share> {
    let good = |(item, most): (Item, u32)| {
        if item == Item::Scout {
            return scouts(points).to_vec();
        }
        vec![item_share(item, most, item.price(1, owned))]
    };
    items.into_iter().flat_map(good).collect()
}

fn only(planet: PlanetId, spending: Vec<Spending>) -> ProductionSheet {
    let plan = ColonyPlan { spending, ..ColonyPlan::new(planet) };
    ProductionSheet { colonies: vec![plan], ..ProductionSheet::default() }
}

impl SeatView<'_> {
    pub(super) fn offer_outfits(&self, draft: &mut Draft<Order>, choices: &Choices) {
        let Some((points, techs)) = &choices.setup else { return };
        offer_listed(draft, choices);
        draft.group("Starting forces");
        if self.table.campaign.fate().is_some() {
            return Self::offer_commission(draft, techs);
        }
        let corvette = Item::Corvette.price(1, TechSet::NONE);
        let mut shares = vec![item_share(Item::Corvette, points / corvette, corvette)];
        shares.extend(scouts(*points));
        let missing =
            |&tech: &Tech| Payment { tech, points: self.power.research.missing(tech).min(BONUS) };
        shares.extend(payments(techs.iter().map(missing)));
        if let Some(slot) = spending("bonus", shares, *points) {
            let stock = draft.stock(Stock::new("Bonus", *points, "i.p."));
            offer!(draft, "setup").slot(slot).paid_by(stock, 0);
        }
        let nothing =
            Order::Outfit(Outfit::Bonus { scouts: 0, corvettes: 0, research: Vec::new() });
        if self.judge(&nothing).is_ok() {
            offer!(draft, "setup-nothing").is(nothing);
        }
    }

    fn offer_commission(draft: &mut Draft<Order>, techs: &[Tech]) {
        let points = commission::HALF_POINTS;
        let ships =
            vec![item_share(Item::Corvette, points / 2, 2), item_share(Item::Scout, points, 1)];
        let techs: Vec<_> =
            techs.iter().map(|tech| draft.value(tech.title().code, tech.title().name)).collect();
        let picks = Picks { most: 2, separator: "; ".into(), ..several(draft, techs, 2) };
        let Some(ships) = spending("ships", ships, points) else { return };
        let ships = ships.within("{}; ", "{}; ").optional();
        let technologies = words("technologies", "which two technologies", picks);
        let stock = draft.stock(Stock::new("Ship points", points, "half points"));
        offer!(draft, "commission").slot(ships).slot(technologies).paid_by(stock, 0);
    }

    pub(super) fn offer_sheet_lines(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        offer_listed(draft, choices);
        match (&choices.decree, &choices.production) {
            (Some(decree), _) => self.offer_decree_lines(draft, decree),
            (None, Some(production)) => self.offer_production_lines(draft, production),
            (None, None) => true,
        }
    }

    /// Offers the budgets of a decree. Orders that name weapons are not offered (space 6.2).
    fn offer_decree_lines(&self, draft: &mut Draft<Order>, decree: &DecreeChoices) -> bool {
        for colony in decree.colonies.iter().filter(|colony| colony.least < colony.most) {
            draft.group(colony_name(colony.planet));
            let at = star_value(draft, colony.planet.star);
            let slot = points_slot("i.p.", colony.least, colony.most);
            let stock = colony_stock(draft, colony.planet, colony.most);
            let (planet, [first, second, third]) = (write_planet(colony.planet), colony.areas);
            offer!(draft, "decree", colony = planet, first, second, third)
                .at([at])
                .slot(slot)
                .paid_by(stock, 0);
        }
        self.offer_sheet_posts(draft, "decree", &decree.posts, |posts| {
            Order::Decree(DecreeSheet { plans: Vec::new(), posts })
        });
        decree
            .colonies
            .iter()
            .all(|colony| colony.most == 0 || (colony.weapons.is_empty() && !colony.shield))
    }

    fn offer_production_lines(
        &self,
        draft: &mut Draft<Order>,
        production: &ProductionChoices,
    ) -> bool {
        // Completing another title makes some titles cheaper. A line can combine amounts that are
        // legal even at the reduced price. Larger amounts are offered alone.
        let surely = |tech: Tech| {
            let others: TechSet = Tech::ALL.into_iter().filter(|&other| other != tech).collect();
            others.cost(tech).saturating_sub(self.power.research.paid(tech))
        };
        let open = |payment: &Payment| Payment {
            points: payment.points.min(surely(payment.tech)),
            ..*payment
        };
        let together: Vec<Payment> = production.research.iter().map(open).collect();
        for colony in &production.colonies {
            draft.group(colony_name(colony.planet));
            self.offer_plans(draft, colony);
            let up_to = |payment: &Payment| Payment {
                points: payment.points.min(colony.output),
                ..*payment
            };
            let paid = payments(together.iter().map(up_to));
            let slot = spending("plan", paid, colony.output);
            offer_line(draft, colony, "pay", slot);
            for payment in
                production.research.iter().filter(|payment| payment.points > surely(payment.tech))
            {
                let tech = payment.tech;
                if colony.output > 0 {
                    let slot = points_slot("i.p.", 1, payment.points.min(colony.output));
                    let stock = colony_stock(draft, colony.planet, colony.output);
                    let (planet, code) = (write_planet(colony.planet), tech.title().code);
                    let offer = offer!(draft, "pay-alone", colony = planet, code, tech);
                    offer.slot(slot).paid_by(stock, 0);
                }
            }
            for payment in &production.research {
                self.offer_completion(draft, colony, *payment);
            }
        }
        if let Some(slot) = spending("grant", payments(together), production.grant) {
            draft.group(SHEET_HEADING);
            let stock = draft.stock(Stock::new("Grant", production.grant, "i.p."));
            offer!(draft, "grant").slot(slot).paid_by(stock, 0);
        }
        self.offer_sheet_posts(draft, "produce", &production.posts, |posts| {
            Order::Produce(ProductionSheet { posts, ..ProductionSheet::default() })
        });
        // Colonies can use a title that another colony completes. Offers cannot express this.
        let points =
            production.colonies.iter().map(|colony| colony.output).sum::<u32>() + production.grant;
        production.research.iter().all(|payment| payment.points > points)
    }

    fn offer_plans(&self, draft: &mut Draft<Order>, colony: &ColonyChoices) {
        let planet = colony.planet;
        let built = goods(colony.items.iter().copied(), self.power.research.owned, colony.output);
        offer_line(draft, colony, "produce", spending("plan", built, colony.output));
        let stock = colony_stock(draft, planet, colony.output);
        let at = star_value(draft, planet.star);
        let held = self.power.commanded(planet);
        let bonus = |emigrants: u32| held.map_or(0, |held| held.bonus(emigrants as u16));
        for along in 0..=bonus(colony.emigrants.into()) {
            let fewest =
                (1..=u32::from(colony.emigrants)).find(|&emigrants| bonus(emigrants) >= along);
            let people =
                u32::from(colony.emigrants).min(colony.output.saturating_sub(along.into()));
            let Some(fewest) = fewest.filter(|&fewest| fewest <= people) else { continue };
            let weight =
                if along == bonus(colony.emigrants.into()) { Weight::Main } else { Weight::Usual };
            let key = if along == 0 { "emigrate/alone" } else { "emigrate" };
            let offer = offer!(draft, key, colony = write_planet(planet), along);
            let slot = points_slot("millions", fewest, people);
            offer.weighs(weight).at([at]).slot(slot).paid_by(stock, along.into());
        }
        if colony.evacuate {
            let mut sheet = only(planet, Vec::new());
            sheet.colonies.iter_mut().for_each(|plan| plan.evacuate = true);
            let order = Order::Produce(sheet);
            offer!(draft, "evacuate", colony = write_planet(planet)).at([at]).is(order);
        }
    }

    fn offer_completion(&self, draft: &mut Draft<Order>, colony: &ColonyChoices, payment: Payment) {
        let Some(left) = colony.output.checked_sub(payment.points).filter(|&left| left > 0) else {
            return;
        };
        let first = Spending::Research(payment);
        let legal = |then| self.judge_production(&only(colony.planet, vec![first, then])).is_ok();
        let mut research = self.power.research;
        research.pay(payment.tech, payment.points);
        let before =
            |item: Item| colony.items.iter().any(|(own, _)| *own == item) && item != Item::Factory;
        let new =
            Item::ALL.into_iter().filter(|&item| item != Item::ColonyTransport && !before(item));
        let new =
            new.map(|item| (item, most(left, |count| legal(Spending::Build { item, count }))));
        let shares = goods(new.filter(|(_, count)| *count > 0), research.owned, left);
        let Some(slot) = spending("plan", shares, left) else { return };
        let (tech, points) = (payment.tech, payment.points);
        let at = star_value(draft, colony.planet.star);
        let stock = colony_stock(draft, colony.planet, colony.output);
        let (colony, code) = (write_planet(colony.planet), tech.title().code);
        let offer = offer!(draft, "complete", colony, points, code, tech);
        offer.at([at]).slot(slot).paid_by(stock, points);
    }

    fn offer_sheet_posts(
        &self,
        draft: &mut Draft<Order>,
        verb: &'static str,
        posts: &[StarId],
        order: impl FnOnce(Option<PostPlan>) -> Order,
    ) {
        draft.group(SHEET_HEADING);
        if !posts.is_empty() {
            let slot = stars_slot(draft, posts);
            offer!(draft, "posts", verb).slot(slot);
        }
        let none = order(Some(PostPlan::default()));
        if self.judge(&none).is_ok() {
            offer!(draft, "no-posts", verb).is(none);
        }
    }
}

fn colony_stock(draft: &mut Draft<Order>, planet: PlanetId, points: u32) -> StockId {
    draft.stock(Stock::new(colony_name(planet), points, "i.p."))
}

fn offer_line(
    draft: &mut Draft<Order>,
    colony: &ColonyChoices,
    key: &'static str,
    slot: Option<Slot>,
) {
    let Some(slot) = slot else { return };
    let at = star_value(draft, colony.planet.star);
    let stock = colony_stock(draft, colony.planet, colony.output);
    let offer = offer!(draft, key, colony = write_planet(colony.planet));
    offer.at([at]).slot(slot).paid_by(stock, 0);
}
