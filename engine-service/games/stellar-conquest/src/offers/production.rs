//! Offers of sheets: the start, production turns and decrees. A production sheet is given line by line, one for each colony.

use heliopause_kernel::offer::{Draft, Share, Shares, Slot, Weight};

use super::movement::{several, words};
use super::planets::shares_slot;
use super::{colony_name, named, number_slot, signed, star_value, stars_slot, write_planet};
use crate::campaign::fate::commission;
use crate::choices::{Choices, ColonyChoices, ProductionChoices};
use crate::notation::{ITEMS, SCOUT_PAIRS};
use crate::order::Order;
use crate::power::Eyes;
use crate::prices::Item;
use crate::setup::BONUS;
use crate::sheet::Outfit;
use crate::technology::{Tech, TechSet};

/// The heading of what concerns a whole sheet.
const SHEET: &str = "The whole sheet";

fn share(text: String, label: impl Into<String>, most: u32, cost: u32) -> Share {
    Share { text: text.into(), label: label.into().into(), least: 0, most: signed(most), cost }
}

/// Some of these, at least one, for so many i.p.
fn spending(name: &'static str, shares: Vec<Share>, points: u32) -> Option<Slot> {
    let least = shares.iter().filter(|share| share.most > 0).map(|share| share.cost).min()?;
    let affordable = least <= points;
    let shares = Shares { shares, least: 1, most: signed(points), separator: "; ".into(), zeros: false };
    affordable.then(|| shares_slot(name, "what i.p. are spent on", shares))
}

/// 17.5: scouts are cheaper in pairs, so that a pair is bought as one.
fn scouts(points: u32) -> [Share; 2] {
    let pair = Item::Scout.price(2, TechSet::NONE);
    let one = Item::Scout.price(1, TechSet::NONE);
    [
        share(format!("{{}} {SCOUT_PAIRS}"), "pairs of scouts", points / pair, pair),
        share("{} scouts".to_owned(), "one scout more", u32::from(points >= one), one),
    ]
}

/// So many i.p. at most into each of these.
fn payments(techs: impl IntoIterator<Item = (Tech, u32)>) -> Vec<Share> {
    let pay = |(tech, most): (Tech, u32)| share(format!("{{}} into {}", tech.title().code), tech.title().name, most, 1);
    techs.into_iter().filter(|(_, most)| *most > 0).map(pay).collect()
}

impl Eyes<'_> {
    /// 3.4, fate 2: what is chosen at setup.
    pub(super) fn offer_outfits(&self, draft: &mut Draft<Order>, choices: &Choices) {
        let Some((points, techs)) = &choices.setup else { return };
        self.offer_listed(draft, choices, |order| match order {
            Order::Outfit(_) => named("usual-start", "The start", Weight::Main),
            _ => None,
        });
        draft.group("The start");
        if self.table.campaign.fate().is_some() {
            let corvettes = share("{} corvettes".to_owned(), "corvettes", points / 2, 2);
            let ships = vec![corvettes, share("{} scouts".to_owned(), "scouts", *points, 1)];
            let techs: Vec<_> = techs.iter().map(|tech| draft.value(tech.title().code, tech.title().name)).collect();
            let picks = several(draft, techs, 2);
            let picks = heliopause_kernel::offer::Picks { most: 2, separator: "; ".into(), ..picks };
            let Some(ships) = spending("ships", ships, commission::HALF_POINTS) else { return };
            let ships = ships.within("{}; ", "{}; ").optional();
            let label = "Your commission: {ships}{technologies}";
            let offer = draft.offer("commission", "commission {ships}{technologies}", label, "fate-2.3");
            offer.weighs(Weight::Main).slot(ships).slot(words("technologies", "which two technologies", picks));
            return;
        }
        let corvette = Item::Corvette.price(1, TechSet::NONE);
        let research = self.power.research;
        let mut shares = vec![share("{} corvettes".to_owned(), "corvettes", BONUS / corvette, corvette)];
        shares.extend(scouts(BONUS));
        shares.extend(payments(techs.iter().map(|&tech| (tech, research.missing(tech).min(BONUS)))));
        if let Some(slot) = spending("bonus", shares, BONUS) {
            let label = "Spend the bonus: {bonus}";
            draft.offer("setup", "setup {bonus}", label, "3.4").weighs(Weight::Main).slot(slot);
        }
        let nothing = Order::Outfit(Outfit::Bonus { scouts: 0, corvettes: 0, research: Vec::new() });
        if self.judge(&nothing).is_ok() {
            draft.offer("setup-nothing", "setup", "Take nothing of the bonus", "3.4").weighs(Weight::Minor).is(nothing);
        }
    }

    /// 17, space 6.2: lines of the sheet of a production turn.
    pub(super) fn offer_sheet_lines(&self, draft: &mut Draft<Order>, choices: &Choices) {
        self.offer_listed(draft, choices, |order| match order {
            Order::Produce(sheet) if sheet.colonies.is_empty() && sheet.grant.is_empty() => {
                named("produce-nothing", SHEET, Weight::Minor)
            }
            Order::Produce(_) => named("produce-as-usual", SHEET, Weight::Usual),
            Order::Decree(_) => named("decree-as-usual", SHEET, Weight::Usual),
            _ => None,
        });
        if let Some(decree) = &choices.decree {
            for colony in decree.colonies.iter().filter(|colony| colony.least < colony.most) {
                draft.group(colony_name(colony.planet));
                let at = star_value(draft, colony.planet.star);
                let notation = format!("decree {}: spend {{number}}", write_planet(colony.planet));
                let offer = draft.offer("decree", notation, "Spend {number} i.p. on what comes first", "space-6.2");
                offer.weighs(Weight::Main).at([at]).slot(number_slot("how many i.p.", colony.least, colony.most));
            }
            offer_posts(draft, "decree", &decree.posts);
        }
        if let Some(production) = &choices.production {
            self.offer_production_lines(draft, production);
        }
    }

    fn offer_production_lines(&self, draft: &mut Draft<Order>, production: &ProductionChoices) {
        // What was paid before may become enough when another title is completed by the same line: what can be paid then is
        // offered together with others, and the rest by itself.
        let everything: TechSet = Tech::ALL.into_iter().collect();
        let others = |tech: Tech| Tech::ALL.into_iter().filter(move |&other| other != tech).collect::<TechSet>();
        let paid = |tech: Tech| self.power.research.paid(tech);
        let surely = |tech: Tech| others(tech).cost(tech).min(everything.cost(tech)).saturating_sub(paid(tech));
        let together = || production.research.iter().map(|payment| (payment.tech, payment.points.min(surely(payment.tech))));
        let alone = || production.research.iter().filter(|payment| payment.points > surely(payment.tech));
        for colony in &production.colonies {
            draft.group(colony_name(colony.planet));
            self.offer_plans(draft, colony, &payments(together()));
            for payment in alone().filter(|_| colony.output > 0) {
                let (code, most) = (payment.tech.title().code, payment.points.min(colony.output));
                let notation = format!("produce {}: {{number}} into {code}", write_planet(colony.planet));
                let label = format!("Pay {{number}} i.p. into {}", payment.tech);
                let offer = draft.offer("pay", notation, label, "18.3");
                offer.weighs(Weight::Usual).slot(number_slot("how many i.p.", 1, most));
            }
            if colony.evacuate {
                let notation = format!("produce {}: evacuate", write_planet(colony.planet));
                let plan = crate::sheet::ColonyPlan {
                    planet: colony.planet,
                    emigrants: 0,
                    bonus: 0,
                    evacuate: true,
                    spending: Vec::new(),
                };
                let sheet = crate::sheet::ProductionSheet { colonies: vec![plan], ..Default::default() };
                let label = "The whole garrison leaves";
                draft.offer("evacuate", notation, label, "fate-8.7").weighs(Weight::Grave).is(Order::Produce(sheet));
            }
        }
        if let Some(slot) = spending("grant", payments(together()), production.grant) {
            draft.group(SHEET);
            let label = "Spend the Empire's grant: {grant}";
            draft.offer("grant", "produce grant {grant}", label, "fate-4.2").weighs(Weight::Main).slot(slot);
        }
        offer_posts(draft, "produce", &production.posts);
    }

    /// 17.4 to 17.9: what a colony does. Who emigrates builds no factories, so that the two keep apart; and each number of
    /// people who come along is an offer of its own.
    fn offer_plans(&self, draft: &mut Draft<Order>, colony: &ColonyChoices, research: &[Share]) {
        let owned = self.power.research.owned;
        let most = |item| colony.items.iter().find(|(own, _)| *own == item).map_or(0, |&(_, most)| most);
        let name = |item| ITEMS.iter().find(|(own, ..)| *own == item).map_or("", |(_, _, several)| *several);
        let build = |item: Item| share(format!("{{}} {}", name(item)), name(item), most(item), item.price(1, owned));
        let ships = [Item::Corvette, Item::Fighter, Item::DeathStar];
        let works = [Item::MissileBase, Item::AdvancedMissileBase, Item::PlanetShield];
        let scouts = if most(Item::Scout) > 0 { scouts(colony.output).to_vec() } else { Vec::new() };
        let goods: Vec<Share> = ships.into_iter().chain(works).map(build).filter(|share| share.most > 0).collect();
        let rest: Vec<Share> = scouts.into_iter().chain(goods).chain(research.iter().cloned()).collect();
        let at = star_value(draft, colony.planet.star);
        let mut offer = |key: &'static str, shares: Vec<Share>, points: u32, label: String, rule: &'static str| {
            let Some(slot) = spending("plan", shares, points) else { return };
            let notation = format!("produce {}: {{plan}}", write_planet(colony.planet));
            draft.offer(key, notation, label, rule).weighs(Weight::Main).at([at]).slot(slot);
        };
        let factories = most(Item::Factory);
        let with = |first: Share| std::iter::once(first).chain(rest.iter().cloned()).collect::<Vec<Share>>();
        let all = if factories > 0 { with(build(Item::Factory)) } else { rest.clone() };
        offer("produce", all, colony.output, "Spend i.p.: {plan}".to_owned(), "17.5");
        if colony.emigrants == 0 {
            return;
        }
        let held = self.power.commanded(colony.planet);
        let bonus = held.map_or(0, |held| held.bonus(colony.emigrants));
        for along in 0..=bonus {
            let left = colony.output.saturating_sub(along.into());
            let fewest = (3 * along).max(1);
            let people = u32::from(colony.emigrants).min(left);
            if u32::from(fewest) > people {
                continue;
            }
            let text = format!("emigrate {{}}+{along}");
            let emigrants = Share { least: fewest.into(), ..share(text, "millions who emigrate", people, 1) };
            let label = match along {
                0 => "Emigration and i.p.: {plan}".to_owned(),
                _ => format!("Emigration, with {along}M more as a bonus, and i.p.: {{plan}}"),
            };
            offer("emigrate", with(emigrants), left, label, "17.4");
        }
    }
}

/// 7.2: at which stars posts stand afterwards.
fn offer_posts(draft: &mut Draft<Order>, verb: &'static str, posts: &[crate::stars::StarId]) {
    if posts.is_empty() {
        return;
    }
    draft.group(SHEET);
    let slot = stars_slot(draft, posts);
    let label = "Command posts stand at {stars} afterwards";
    draft.offer("posts", format!("{verb} posts {{stars}}"), label, "7.2").weighs(Weight::Minor).slot(slot);
}
