//! Offers for the sheets of setup, production turns and decrees. Lines for one colony add up.

use heliopause_kernel::offer::{Draft, Picks, Share, Shares, Slot, Weight};

use crate::client::choices::kinds::{Choices, ColonyChoices, DecreeChoices, ProductionChoices};
use crate::client::notation::notate;
use crate::client::notation::words::{ITEMS, SCOUT_PAIRS};
use crate::client::offers::slots::{
    colony_name, named, number_slot, several, shares_slot, signed, star_value, stars_slot, words,
    write_planet,
};
use crate::rules::campaign::fate::commission;
use crate::rules::most::most;
use crate::rules::setup::BONUS;
use crate::state::{
    ColonyPlan, DecreeSheet, Order, Outfit, Payment, PostPlan, ProductionSheet, SeatView, Spending,
};
use crate::tables::{Item, PlanetId, StarId, Tech, TechSet};

const SHEET_HEADING: &str = "The whole sheet";

fn share(text: String, label: impl Into<String>, most: u32, cost: u32) -> Share {
    Share { text: text.into(), label: label.into().into(), least: 0, most: signed(most), cost }
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
        share(format!("{{}} {SCOUT_PAIRS}"), "", points / pair, pair),
        share("{} scouts".to_owned(), "", u32::from(points >= one), one),
    ]
}

fn payments(techs: impl IntoIterator<Item = Payment>) -> Vec<Share> {
    let pay =
        |Payment { tech, points }| share(format!("{{}} into {}", tech.title().code), "", points, 1);
    techs.into_iter().filter(|payment| payment.points > 0).map(pay).collect()
}

fn goods(items: impl IntoIterator<Item = (Item, u32)>, owned: TechSet, points: u32) -> Vec<Share> {
    let name =
        |item| ITEMS.iter().find(|(own, ..)| *own == item).map_or("", |(_, _, several)| *several);
    let good = |(item, most): (Item, u32)| {
        if item == Item::Scout {
            return scouts(points).to_vec();
        }
        vec![share(format!("{{}} {}", name(item)), "", most, item.price(1, owned))]
    };
    items.into_iter().flat_map(good).collect()
}

fn only(planet: PlanetId, spending: Vec<Spending>) -> ProductionSheet {
    let plan = ColonyPlan { planet, emigrants: 0, bonus: 0, evacuate: false, spending };
    ProductionSheet { colonies: vec![plan], ..ProductionSheet::default() }
}

impl SeatView<'_> {
    pub(super) fn offer_outfits(&self, draft: &mut Draft<Order>, choices: &Choices) {
        let Some((points, techs)) = &choices.setup else { return };
        Self::offer_listed(draft, choices, |order| {
            matches!(order, Order::Outfit(_))
                .then(|| named("usual-start", "Starting forces", Weight::Main))
        });
        draft.group("Starting forces");
        if self.table.campaign.fate().is_some() {
            return Self::offer_commission(draft, techs);
        }
        let corvette = Item::Corvette.price(1, TechSet::NONE);
        let mut shares = vec![share("{} corvettes".to_owned(), "", points / corvette, corvette)];
        shares.extend(scouts(*points));
        let missing =
            |&tech: &Tech| Payment { tech, points: self.power.research.missing(tech).min(BONUS) };
        shares.extend(payments(techs.iter().map(missing)));
        if let Some(slot) = spending("bonus", shares, *points) {
            let label = "Spend the bonus: {bonus}";
            draft
                .offer("setup", "setup {bonus}", label, "3.4")
                .titled("Starting forces")
                .weighs(Weight::Main)
                .slot(slot);
        }
        let nothing =
            Order::Outfit(Outfit::Bonus { scouts: 0, corvettes: 0, research: Vec::new() });
        if self.judge(&nothing).is_ok() {
            draft
                .offer("setup-nothing", "setup", "Spend none of the bonus", "3.4")
                .titled("No bonus")
                .weighs(Weight::Minor)
                .is(nothing);
        }
    }

    fn offer_commission(draft: &mut Draft<Order>, techs: &[Tech]) {
        let points = commission::HALF_POINTS;
        let corvettes = share("{} corvettes".to_owned(), "", points / 2, 2);
        let ships = vec![corvettes, share("{} scouts".to_owned(), "", points, 1)];
        let techs: Vec<_> =
            techs.iter().map(|tech| draft.value(tech.title().code, tech.title().name)).collect();
        let picks = Picks { most: 2, separator: "; ".into(), ..several(draft, techs, 2) };
        let Some(ships) = spending("ships", ships, points) else { return };
        let ships = ships.within("{}; ", "{}; ").optional();
        let label = "Your commission: {ships}{technologies}";
        let offer =
            draft.offer("commission", "commission {ships}{technologies}", label, "fate-2.3");
        offer.weighs(Weight::Main).slot(ships).slot(words(
            "technologies",
            "which two technologies",
            picks,
        ));
    }

    pub(super) fn offer_sheet_lines(&self, draft: &mut Draft<Order>, choices: &Choices) -> bool {
        Self::offer_listed(draft, choices, |order| {
            if matches!(order, Order::Decree(_)) {
                return Some(named("decree-as-usual", SHEET_HEADING, Weight::Usual));
            }
            let Order::Produce(sheet) = order else { return None };
            let (name, weight) = if sheet.colonies.is_empty() && sheet.grant.is_empty() {
                ("produce-nothing", Weight::Minor)
            } else {
                ("produce-as-usual", Weight::Usual)
            };
            Some(named(name, SHEET_HEADING, weight))
        });
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
            let notation = format!("decree {}: spend {{number}}", write_planet(colony.planet));
            let [first, second, third] = colony.areas;
            let label = format!("Spend {{number}} i.p. on {first}, then on {second} and {third}");
            let offer = draft.offer("decree", notation, label, "space-6.2");
            offer.weighs(Weight::Main).at([at]).slot(number_slot(
                "i.p.",
                colony.least,
                colony.most,
            ));
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
            offer_line(draft, colony.planet, ("pay", "Pay for research: {plan}", "18.3"), slot);
            for payment in
                production.research.iter().filter(|payment| payment.points > surely(payment.tech))
            {
                let tech = payment.tech;
                if colony.output > 0 {
                    let notation = format!(
                        "produce {}: {{number}} into {}",
                        write_planet(colony.planet),
                        tech.title().code
                    );
                    let offer = draft
                        .offer(
                            "pay-alone",
                            notation,
                            format!("Pay {{number}} i.p. into {tech}"),
                            "18.3",
                        )
                        .titled("Research");
                    offer.weighs(Weight::Minor).slot(number_slot(
                        "i.p.",
                        1,
                        payment.points.min(colony.output),
                    ));
                }
            }
            for payment in &production.research {
                self.offer_completion(draft, colony, *payment);
            }
        }
        if let Some(slot) = spending("grant", payments(together), production.grant) {
            draft.group(SHEET_HEADING);
            let label = "Spend the Empire's grant: {grant}";
            draft
                .offer("grant", "produce grant {grant}", label, "fate-4.2")
                .weighs(Weight::Main)
                .slot(slot);
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
        offer_line(
            draft,
            planet,
            ("produce", "Build {plan}", "17.5"),
            spending("plan", built, colony.output),
        );
        let at = star_value(draft, planet.star);
        let held = self.power.commanded(planet);
        let bonus = |emigrants: u32| held.map_or(0, |held| held.bonus(emigrants as u16));
        for along in 0..=bonus(colony.emigrants.into()) {
            let fewest =
                (1..=u32::from(colony.emigrants)).find(|&emigrants| bonus(emigrants) >= along);
            let people =
                u32::from(colony.emigrants).min(colony.output.saturating_sub(along.into()));
            let Some(fewest) = fewest.filter(|&fewest| fewest <= people) else { continue };
            let notation = format!("produce {}: emigrate {{number}}+{along}", write_planet(planet));
            let label = match along {
                0 => "Let {number}M emigrate".to_owned(),
                _ => format!("Let {{number}}M emigrate and take {along}M along"),
            };
            let weight =
                if along == bonus(colony.emigrants.into()) { Weight::Main } else { Weight::Usual };
            let offer = draft.offer("emigrate", notation, label, "17.4").titled("Move people");
            offer.weighs(weight).at([at]).slot(number_slot("millions", fewest, people));
        }
        if colony.evacuate {
            let mut sheet = only(planet, Vec::new());
            sheet.colonies.iter_mut().for_each(|plan| plan.evacuate = true);
            let order = Order::Produce(sheet);
            let offer =
                draft.offer("evacuate", notate(&order), "Evacuate the whole garrison", "fate-8.7");
            offer.weighs(Weight::Grave).at([at]).is(order);
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
        let notation = format!(
            "produce {}: {points} into {}; {{plan}}",
            write_planet(colony.planet),
            tech.title().code
        );
        let label = format!("Complete {tech} for {points} i.p., then spend: {{plan}}");
        draft.offer("complete", notation, label, "17.9").weighs(Weight::Usual).at([at]).slot(slot);
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
            let label = "Command posts afterwards: {stars}";
            draft
                .offer("posts", format!("{verb} posts {{stars}}"), label, "7.2")
                .titled("Command posts")
                .weighs(Weight::Minor)
                .slot(slot);
        }
        let none = order(Some(PostPlan::default()));
        if self.judge(&none).is_ok() {
            let offer =
                draft.offer("no-posts", notate(&none), "Command posts afterwards: none", "7.2");
            offer.titled("No command posts").weighs(Weight::Minor).is(none);
        }
    }
}

fn offer_line(
    draft: &mut Draft<Order>,
    planet: PlanetId,
    (key, label, rule): (&'static str, &'static str, &'static str),
    slot: Option<Slot>,
) {
    let Some(slot) = slot else { return };
    let at = star_value(draft, planet.star);
    let offer =
        draft.offer(key, format!("produce {}: {{plan}}", write_planet(planet)), label, rule);
    offer.weighs(Weight::Main).at([at]).slot(slot);
}
