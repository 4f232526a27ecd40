//! The pages of a production turn: all colonies, one of them, posts, the Empire's grant.

use heliopause_stellar_conquest::{Account, ColonyPlan, Item, PlanetId, Spending, StarId, Tech, factory_limit};

use super::outfit::what_for;
use super::produce::{Buy, Desk, Planner};
use super::{Does, Entry, Menu, no_entry};
use crate::render::Step;
use crate::render::stellar_conquest::{palette, words};
use crate::style::{Ink, Style};
use crate::text;

/// What a number on a page stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Colony(PlanetId),
    Buy(Buy),
    Evacuate,
    Clear,
    Next,
    Post(StarId),
    Posts,
    Grant,
    Usual,
    Done,
    Back,
}

fn lines(planner: &Planner) -> Vec<Line> {
    let production = planner.case.choices.production.as_ref();
    match planner.place {
        Desk::Overview => {
            let mut lines: Vec<Line> = planner.planets().into_iter().map(Line::Colony).collect();
            if production.is_some_and(|it| it.grant > 0) {
                lines.push(Line::Grant);
            }
            if production.is_some_and(|it| !it.posts.is_empty()) {
                lines.push(Line::Posts);
            }
            lines.extend([Line::Usual, Line::Done]);
            lines
        }
        Desk::Colony(planet) => of_colony(planner, planet),
        Desk::Posts => {
            let posts = production.map(|it| it.posts.clone()).unwrap_or_default();
            posts.into_iter().map(Line::Post).chain([Line::Back]).collect()
        }
        Desk::Grant => open_technologies(planner).map(|tech| Line::Buy(Buy::Tech(tech))).chain([Line::Back]).collect(),
    }
}

/// Technologies that can be paid into with the sheet as it is, and those that are on it.
fn open_technologies(planner: &Planner) -> impl Iterator<Item = Tech> {
    let before = planner.case.view.power().map(|power| power.research);
    let after = planner.accounts().map(|accounts| accounts.research);
    let is_open = move |tech: &Tech| {
        let owned_before = before.is_some_and(|research| research.has(*tech));
        !owned_before && after.or(before).is_some_and(|research| research.owned.opens(*tech))
    };
    Tech::ALL.into_iter().filter(is_open)
}

fn of_colony(planner: &Planner, planet: PlanetId) -> Vec<Line> {
    let offered =
        planner.case.choices.production.as_ref().and_then(|it| it.colonies.iter().find(|it| it.planet == planet));
    let mut lines = Vec::new();
    let can = |buy: Buy| planner.most(buy) > 0 || planner.planned(buy) > 0;
    if offered.is_some_and(|it| it.emigrants > 0) {
        lines.push(Line::Buy(Buy::Emigrants));
    }
    let items = Item::ALL.into_iter().filter(|item| *item != Item::ColonyTransport).map(Buy::Item);
    let owned = planner.accounts().map(|accounts| accounts.research.owned).unwrap_or_default();
    let is_bought = |buy: &Buy| matches!(buy, Buy::Item(item) if item.is_allowed(owned)) || can(*buy);
    lines.extend(items.filter(is_bought).map(Line::Buy));
    lines.extend(open_technologies(planner).map(Buy::Tech).filter(|buy| can(*buy)).map(Line::Buy));
    if offered.is_some_and(|it| it.evacuate) {
        lines.push(Line::Evacuate);
    }
    if planner.sheet.colonies.iter().any(|plan| plan.planet == planet) {
        lines.push(Line::Clear);
    }
    if planner.planets().len() > 1 {
        lines.push(Line::Next);
    }
    lines.push(Line::Back);
    lines
}

/// The name of something that is bought, for several.
fn name(buy: Buy) -> String {
    match buy {
        Buy::Emigrants => "colony transports with emigrants".into(),
        Buy::Item(Item::Factory) => "factories".into(),
        Buy::Item(item) => format!("{item}s"),
        Buy::Tech(tech) => format!("research: {tech}"),
    }
}

fn price(planner: &Planner, buy: Buy) -> String {
    let research = planner.accounts().map(|accounts| accounts.research).unwrap_or_default();
    match buy {
        Buy::Emigrants => "1 each".into(),
        Buy::Item(Item::Scout) => "3, two for 5".into(),
        Buy::Item(item) => format!("{} each", item.price(1, research.owned)),
        Buy::Tech(tech) if research.has(tech) => "complete".into(),
        Buy::Tech(tech) => format!("{} missing", research.missing(tech)),
    }
}

fn note(planner: &Planner, planet: PlanetId, account: Option<&Account>, buy: Buy) -> String {
    match buy {
        Buy::Emigrants => {
            let offered = planner.case.choices.production.as_ref();
            let limit =
                offered.and_then(|it| it.colonies.iter().find(|it| it.planet == planet)).map_or(0, |it| it.bonus_limit);
            let bonus = planner.plan(planet).bonus;
            let now = if bonus > 0 { format!("; {bonus} more come along now") } else { String::new() };
            if limit == 0 {
                String::new()
            } else {
                format!("of the first {limit}, every third brings one more along{now}")
            }
        }
        Buy::Item(Item::Factory) => {
            let owned = planner.accounts().map(|accounts| accounts.research.owned).unwrap_or_default();
            let limit = account.map_or(0, |account| factory_limit(u32::from(account.colony.workers()), owned));
            if limit == u32::MAX {
                "i.p. from the next time on; no limit".into()
            } else {
                format!("i.p. from the next time on; at most {limit} here")
            }
        }
        Buy::Item(Item::Scout) => "explores without limit of range".into(),
        Buy::Item(Item::Corvette | Item::Fighter | Item::DeathStar) => "warship".into(),
        Buy::Item(Item::MissileBase | Item::AdvancedMissileBase) => "defends the colony".into(),
        Buy::Item(Item::PlanetShield) => "the colony cannot be attacked".into(),
        Buy::Item(Item::ColonyTransport) => String::new(),
        Buy::Tech(tech) => what_for(tech).into(),
    }
}

/// A plan in few words.
fn plan_in_words(plan: &ColonyPlan) -> String {
    if plan.evacuate {
        return "the garrison leaves".into();
    }
    let mut parts = Vec::new();
    if plan.emigrants > 0 {
        parts.push(format!("{}+{} emigrate", plan.emigrants, plan.bonus));
    }
    parts.extend(plan.spending.iter().map(|spending| match spending {
        Spending::Build { item, count: 1 } => format!("1 {item}"),
        Spending::Build { item, count } => format!("{count} {}", name(Buy::Item(*item))),
        Spending::Research(payment) => format!("{} into {}", payment.points, payment.tech),
    }));
    if parts.is_empty() { "nothing yet".into() } else { parts.join(", ") }
}

fn cells(planner: &Planner, line: Line) -> Vec<String> {
    let accounts = planner.accounts();
    let accounts = accounts.as_ref().map(Planner::by_colony).unwrap_or_default();
    match line {
        Line::Colony(planet) => {
            let account = accounts.get(&planet);
            let people = account.map_or_else(String::new, |account| {
                format!(
                    "{}M of {}M",
                    account.colony.population + account.colony.subjects,
                    account.colony.world.capacity
                )
            });
            let number = |of: fn(&Account) -> u32| account.map_or_else(String::new, |account| of(account).to_string());
            let plan = plan_in_words(&planner.plan(planet));
            vec![words::planet(planet), people, number(|it| it.output), number(|it| it.left), plan]
        }
        Line::Buy(buy) => {
            let planet = match planner.place {
                Desk::Colony(planet) => Some(planet),
                _ => None,
            };
            let planned = planner.planned(buy);
            let planned = if planned == 0 { "-".into() } else { planned.to_string() };
            let note = planet.map_or_else(
                || if let Buy::Tech(tech) = buy { what_for(tech).into() } else { String::new() },
                |planet| note(planner, planet, accounts.get(&planet), buy),
            );
            vec![name(buy), price(planner, buy), planner.most(buy).to_string(), planned, note]
        }
        Line::Evacuate => vec!["the whole garrison leaves; the planet is independent again".into()],
        Line::Clear => vec!["nothing after all: clear this colony's plan".into()],
        Line::Next => vec!["next colony".into()],
        Line::Post(star) => {
            let stands = planner.posts().contains(&star);
            vec![star.to_string(), if stands { "a post stands: take it away" } else { "no post: set one up" }.into()]
        }
        Line::Posts => {
            let posts: Vec<String> = planner.posts().iter().map(ToString::to_string).collect();
            let posts = if posts.is_empty() { "none".into() } else { posts.join(", ") };
            vec![format!("command posts: {posts}")]
        }
        Line::Grant => {
            let points = planner.case.choices.production.as_ref().map_or(0, |it| it.grant);
            let paid: u32 = planner.sheet.grant.iter().map(|payment| payment.points).sum();
            vec![format!("the Empire's {points} i.p. for research: {} left", points.saturating_sub(paid))]
        }
        Line::Usual => vec!["the usual plan: all into factories and research".into()],
        Line::Done => vec!["done: hand the sheet in".into()],
        Line::Back => vec!["back to all colonies".into()],
    }
}

/// What stands above a page.
fn lead(planner: &Planner) -> Vec<String> {
    let accounts = planner.accounts();
    let turn = planner.case.view.table.turn;
    match planner.place {
        Desk::Overview => {
            let spare: u32 = accounts.as_ref().map_or(0, |it| it.colonies.iter().map(|account| account.left).sum());
            let acquired =
                accounts.as_ref().map(|it| it.acquired.iter().map(|tech| tech.to_string()).collect::<Vec<_>>());
            let mut lead = vec![format!(
                "Production after turn {turn}. Each colony spends its own i.p.; {spare} are not spent yet, and will be lost."
            )];
            if let Some(acquired) = acquired.filter(|it| !it.is_empty()) {
                lead.push(format!("You acquire {}.", words::row(&acquired)));
            }
            lead
        }
        Desk::Colony(planet) => {
            let account = accounts.as_ref().and_then(|it| Planner::by_colony(it).get(&planet).copied());
            account.map_or_else(Vec::new, |account| about(planner, planet, &account))
        }
        Desk::Posts => vec!["All ships but scouts must stay within 8 hexes of a command post (7.1).".into()],
        Desk::Grant => vec!["The Empire pays for research, whatever your colonies do.".into()],
    }
}

/// A colony, and how it comes to its i.p.
fn about(planner: &Planner, planet: PlanetId, account: &Account) -> Vec<String> {
    let power = planner.case.view.power();
    let before = power.and_then(|power| power.commanded(planet)).copied();
    let colony = before.unwrap_or(account.colony);
    let kind = palette::planet_name(colony.world.kind);
    let rich = if colony.world.mineral_rich { ", mineral-rich: twice" } else { "" };
    let grown = if colony.grown > 0 { format!(" (grew by {})", colony.grown) } else { String::new() };
    let after = account.colony.population + account.colony.subjects;
    let mut lead = vec![
        format!(
            "{}, {kind}: {}M people{grown}, room for {}M, {} factories{rich}: {} i.p.",
            words::planet(planet),
            colony.population + colony.subjects,
            colony.world.capacity,
            colony.factories,
            account.output
        ),
        format!("Planned: {}. {} i.p. left.", plan_in_words(&planner.plan(planet)), account.left),
    ];
    if after > account.colony.world.capacity && !account.colony.is_dominion() {
        lead.push(format!(
            "{}M people have no room and will die (17.10): let them emigrate.",
            after - account.colony.world.capacity
        ));
    }
    lead
}

pub(super) fn text(planner: &Planner, style: &Style) -> String {
    if let Some(buy) = planner.asking {
        let now = planner.planned(buy);
        let unit = if matches!(buy, Buy::Tech(_)) { "How many i.p. into" } else { "How many" };
        let name = name(buy).replace("research: ", "");
        let question = format!("{unit} {name}? 0 to {} [{now}]", planner.most(buy));
        return format!("{question}\n{}", style.paint("A number; Enter leaves it as it is.", Ink::Faint));
    }
    let lines = lines(planner);
    let entry = |line: &Line| Entry { cells: cells(planner, *line), does: Does::Say(String::new()) };
    let hint = match planner.place {
        Desk::Overview => {
            "A number opens a colony; `done` hands the sheet in; until then nothing is spent. Typed in one line: produce \
             Ceti 1: emigrate 6+2; 2 scouts; 10 into speed3 | posts Ceti."
        }
        Desk::Colony(_) => {
            "A number asks how many; `2 3` means 3 of choice 2. Typed: 3 scouts; emigrate 6+2; 10 into speed3."
        }
        Desk::Posts | Desk::Grant => "A number changes it; back returns.",
    };
    let menu = Menu { lead: lead(planner), entries: lines.iter().map(entry).collect(), hint: hint.into() };
    let heads = match planner.place {
        Desk::Overview => Some(vec!["  #", "colony", "people", "i.p.", "left", "plan"]),
        Desk::Colony(_) => Some(vec!["  #", "what", "price", "most", "planned", ""]),
        Desk::Posts | Desk::Grant => None,
    };
    match heads {
        Some(heads) => headed(&menu, &heads, style),
        None => menu.text(style),
    }
}

/// A menu whose rows of several cells stand in a table with headings; those of one cell follow.
fn headed(menu: &Menu, heads: &[&str], style: &Style) -> String {
    let mut lines: Vec<String> = menu.lead.iter().map(|line| text::wrap(line, style.width, 0)).collect();
    let number = |nth: usize| style.paint(format!("{:>3}", nth + 1), Ink::Notice);
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    for (nth, entry) in menu.entries.iter().enumerate() {
        if entry.cells.len() > 1 {
            rows.push([vec![number(nth)], entry.cells.clone()].concat());
        } else {
            others.push(format!("{}  {}", number(nth), entry.cells.join(" ")));
        }
    }
    if !rows.is_empty() {
        lines.push(text::table(style, heads, &rows));
    }
    lines.extend(others);
    let hint = text::wrap(&menu.hint, style.width, 0);
    lines.extend(hint.lines().map(|line| style.paint(line, Ink::Faint)));
    lines.join("\n")
}

pub(super) fn take(planner: &mut Planner, line: &str) -> Step {
    let line = line.trim().to_lowercase();
    let numbers: Option<Vec<u32>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    if let Some(buy) = planner.asking {
        return match (line.as_str(), numbers.as_deref()) {
            ("" | "b" | "back", _) => {
                planner.asking = None;
                Step::Turned
            }
            (_, Some([count])) => planner.set(buy, *count),
            _ => Step::Other,
        };
    }
    let lines = lines(planner);
    let chosen = |number: u32| lines.get((number as usize).wrapping_sub(1)).copied();
    match (line.as_str(), numbers.as_deref()) {
        ("done" | "ready", _) => planner.hand_in(),
        ("usual", _) if planner.place == Desk::Overview => planner.take_usual(),
        ("b" | "back", _) if planner.place != Desk::Overview => choose(planner, Line::Back),
        ("next" | "n", _) if lines.contains(&Line::Next) => choose(planner, Line::Next),
        ("clear", _) if lines.contains(&Line::Clear) => choose(planner, Line::Clear),
        ("", _) => Step::Other,
        (_, Some([number])) => match chosen(*number) {
            Some(line) => choose(planner, line),
            None => Step::Told(no_entry(*number as usize, lines.len())),
        },
        (_, Some([number, count])) => match chosen(*number) {
            Some(Line::Buy(buy)) => planner.set(buy, *count),
            _ => Step::Told(format!("Choice {number} takes no second number.")),
        },
        _ => planner.read(&line).unwrap_or(Step::Other),
    }
}

fn choose(planner: &mut Planner, line: Line) -> Step {
    match line {
        Line::Colony(planet) => planner.place = Desk::Colony(planet),
        Line::Posts => planner.place = Desk::Posts,
        Line::Grant => planner.place = Desk::Grant,
        Line::Back => planner.place = Desk::Overview,
        Line::Next => {
            let planets = planner.planets();
            let at = planets.iter().position(|planet| planner.place == Desk::Colony(*planet)).unwrap_or(0);
            planner.place = planets.get((at + 1) % planets.len().max(1)).map_or(Desk::Overview, |it| Desk::Colony(*it));
        }
        Line::Buy(buy) => planner.asking = Some(buy),
        Line::Evacuate | Line::Clear => {
            let Desk::Colony(planet) = planner.place else { return Step::Other };
            let evacuate = line == Line::Evacuate;
            return planner.adopt(&ColonyPlan { planet, emigrants: 0, bonus: 0, evacuate, spending: Vec::new() });
        }
        Line::Post(star) => return planner.toggle_post(star),
        Line::Usual => return planner.take_usual(),
        Line::Done => return planner.hand_in(),
    }
    Step::Turned
}
