//! The menu of each step of a turn.

use heliopause_kernel::Listed;
use heliopause_stellar_conquest::{
    CampaignStage, Fleet, LandingChoices, Order, Place, PlanetId, ShipNumber, Sortie, Stage, StarId, StellarConquest,
    VoyageChoices,
};

use super::voyage::Party;
use super::{Case, Does, Entry, Menu, Page, battle};
use crate::render::stellar_conquest::{standing as orders, words};
use crate::text;

/// A question for a number.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    question: String,
    least: u32,
    most: u32,
    of: Counted,
}

/// What is counted.
#[derive(Clone, Debug)]
enum Counted {
    Landing(Vec<ShipNumber>, PlanetId),
    Razing(PlanetId),
    Killing(PlanetId),
}

/// The menu of the step.
pub(super) fn menu(case: &Case) -> Menu {
    let mut menu = match case.view.table.stage {
        Stage::Movement => movement(case),
        Stage::Battle => battle::menu(case),
        Stage::Campaign(CampaignStage::Recall { .. }) => recall(case),
        Stage::Campaign(CampaignStage::Place { .. }) => places(case),
        Stage::Production => decree(case),
        Stage::Planets => planets(case),
        _ => Menu::default(),
    };
    if case.view.table.stage == Stage::Combat {
        menu.entries.extend(listed(case, |order| matches!(order, Order::Fight { .. })));
    }
    menu.entries.extend(listed(case, |order| matches!(order, Order::Inspect { .. })));
    let end = match case.view.table.stage {
        Stage::Movement => listed(case, |order| *order == Order::EndMovement),
        Stage::Planets => listed(case, |order| *order == Order::EndTurn),
        _ => Vec::new(),
    };
    menu.entries.extend(end);
    menu
}

/// Listed orders of a kind, as they are told.
fn listed(case: &Case, is_meant: impl Fn(&Order) -> bool) -> Vec<Entry> {
    let all = case.choices.listed.iter().filter(|listed| is_meant(&listed.order));
    all.map(|Listed { order, label, .. }| Entry::order(label.trim_end_matches('.'), order.clone())).collect()
}

/// Ships that can move, hex by hex; those that are under way apart.
fn movement(case: &Case) -> Menu {
    let mut menu = Menu { lead: Vec::new(), entries: Vec::new(), hint: String::new() };
    let under_way = under_way(case);
    let mut places: Vec<Option<Place>> = Vec::new();
    for voyage in case.choices.voyages.iter().filter(|voyage| !is_under_way(voyage)) {
        if !places.contains(&voyage.at) {
            places.push(voyage.at);
        }
    }
    for at in places {
        let of_hex = |voyage: &&VoyageChoices| voyage.at == at && !is_under_way(voyage);
        let ships: Vec<ShipNumber> =
            case.choices.voyages.iter().filter(of_hex).flat_map(|voyage| voyage.ships.iter().copied()).collect();
        let place = at.map_or_else(|| "waiting off the board".to_owned(), words::place);
        let cells = vec![place, words::fleet(fleet(case, &ships)), moved(case, &ships)];
        menu.entries.push(Entry { cells, does: Does::Open(Party::new(case, ships).page()) });
    }
    if under_way.len() > 1 {
        let all = under_way.iter().filter_map(|voyage| go_on(case, voyage)).collect();
        let text = format!("go on: all {} that are under way", text::count(under_way.len(), "group"));
        menu.entries.push(Entry::new(text, Does::Orders(all)));
    }
    for voyage in &under_way {
        let Some(order) = go_on(case, voyage) else { continue };
        let place = voyage.at.map_or_else(String::new, words::place);
        let route = &voyage.routes[0];
        let bound = route.destination.map_or_else(String::new, |star| star.to_string());
        let arrives = if route.turns <= 1 { "arrives".to_owned() } else { format!("{} turns", route.turns) };
        let lost = if route.safe.is_some() { " (stops at the edge of command range)" } else { "" };
        let cells = vec![
            format!("go on from {place}"),
            words::fleet(fleet(case, &voyage.ships)),
            format!("to {bound}, {arrives}{lost}"),
        ];
        menu.entries.push(Entry { cells, does: Does::Orders(vec![order]) });
    }
    menu.lead = vec![lead_of_movement(case)];
    menu.entries.extend(raids(case));
    posts(case, &mut menu);
    conquests(case, &mut menu);
    menu.hint =
        "A number: ships there can move, or what it says. Typed: move #1-4 to Ceti; form #1-4 2 (a task force); \
                 standing (orders for battles in others' turns); report (your record sheet)."
            .into();
    menu
}

fn lead_of_movement(case: &Case) -> String {
    let power = case.view.power();
    let speed = power.map_or(2, |power| power.research.owned.speed());
    let waiting = power.is_some_and(|power| power.ships.iter().any(|ship| ship.at.is_none()));
    let waits = if waiting { " Ships that wait off the board must enter before you end." } else { "" };
    format!("Ships move {speed} hexes a turn; ships at a star explore it when you end the movement.{waits}")
}

/// Between stars ships have no choice but to go on, or to stay.
fn is_under_way(voyage: &VoyageChoices) -> bool {
    voyage.routes.len() == 1 && voyage.at.is_some_and(|at| StarId::in_hex(at).is_none()) && voyage.reach.is_empty()
}

/// Ships between stars, those of one hex that are bound alike together.
fn under_way(case: &Case) -> Vec<VoyageChoices> {
    let mut groups: Vec<VoyageChoices> = Vec::new();
    for voyage in case.choices.voyages.iter().filter(|voyage| is_under_way(voyage)) {
        match groups.iter_mut().find(|other| other.at == voyage.at && other.routes == voyage.routes) {
            Some(group) => group.ships.extend(&voyage.ships),
            None => groups.push(voyage.clone()),
        }
    }
    groups
}

/// The order to go on, as far as no ship is lost.
fn go_on(case: &Case, voyage: &VoyageChoices) -> Option<Order> {
    let route = voyage.routes.first()?;
    if route.safe == Some(0) {
        return None;
    }
    let order = Order::Move(route.voyage(voyage.ships.clone(), route.safe.unwrap_or(usize::MAX)));
    StellarConquest::judge_view(&case.view, &order).is_ok().then_some(order)
}

/// What ships these are.
pub(super) fn fleet(case: &Case, ships: &[ShipNumber]) -> Fleet {
    let power = case.view.power();
    ships.iter().filter_map(|number| power?.ship(*number)).map(heliopause_stellar_conquest::Ship::kind).collect()
}

/// How far ships have moved this turn.
fn moved(case: &Case, ships: &[ShipNumber]) -> String {
    let power = case.view.power();
    let steps = ships.iter().filter_map(|number| power?.ship(*number)).map(|ship| ship.steps).max().unwrap_or(0);
    match steps {
        0 => String::new(),
        1 => "moved 1 hex".into(),
        steps => format!("moved {steps} hexes"),
    }
}

fn posts(case: &Case, menu: &mut Menu) {
    for star in &case.choices.posts {
        let order = Order::Post { star: *star, up: true };
        menu.entries
            .push(Entry::order(format!("Set up a command post at {star}: ships may go 8 hexes from it"), order));
    }
}

fn conquests(case: &Case, menu: &mut Menu) {
    for (planet, factories) in &case.choices.raze {
        let question = format!("How many factories of {} are destroyed", words::planet(*planet));
        let counting = Counting { question, least: 1, most: *factories, of: Counted::Razing(*planet) };
        let text = format!("Destroy factories of {}: up to {factories}", words::planet(*planet));
        menu.entries.push(Entry::new(text, Does::Open(Page::Count(counting))));
    }
    for (planet, millions) in &case.choices.kill {
        let question = format!("How many millions of {} are killed", words::planet(*planet));
        let counting = Counting { question, least: 1, most: u32::from(*millions), of: Counted::Killing(*planet) };
        let text = format!("Kill people of {}: up to {millions}M", words::planet(*planet));
        menu.entries.push(Entry::new(text, Does::Open(Page::Count(counting))));
    }
}

/// Attacks, landings, posts.
fn planets(case: &Case) -> Menu {
    let mut menu = Menu { entries: listed(case, |order| matches!(order, Order::Attack { .. })), ..Menu::default() };
    for landing in &case.choices.landings {
        menu.entries.push(landing_entry(case, landing));
    }
    posts(case, &mut menu);
    conquests(case, &mut menu);
    menu.lead = vec!["Transports land, warships attack colonies; whoever has landed attacks no more this turn.".into()];
    menu.hint =
        "Typed: land #5-9 Ceti 1; attack Sadir 1 2; watch Ceti 1 ask (what a colony does about passing ships); \
                 standing; report."
            .into();
    menu
}

fn landing_entry(case: &Case, landing: &LandingChoices) -> Entry {
    let planet = landing.planet;
    let number = if landing.fewest == landing.most {
        landing.most.to_string()
    } else if landing.fewest > 1 {
        format!("{} to {}", landing.fewest, landing.most)
    } else {
        format!("up to {}", landing.most)
    };
    let text = format!("Land {number} CT on {}", words::planet(planet));
    let does = if landing.fewest == landing.most {
        Does::Orders(vec![land(landing, landing.most)])
    } else {
        let question = format!("How many transports land on {}", words::planet(planet));
        let of = Counted::Landing(landing.ships.clone(), planet);
        Does::Open(Page::Count(Counting { question, least: landing.fewest, most: landing.most, of }))
    };
    Entry { cells: vec![text, world(case, planet, landing.room)], does }
}

/// What a planet is like, and what room it has.
fn world(case: &Case, planet: PlanetId, room: u32) -> String {
    let card = case.view.power().and_then(|power| power.chart(planet.star).card);
    let Some(world) = card.and_then(|card| planet.on(card)) else { return String::new() };
    let rich = if world.mineral_rich { ", mineral-rich" } else { "" };
    let kind = crate::render::stellar_conquest::palette::planet_name(world.kind);
    let grows = match world.kind {
        heliopause_stellar_conquest::PlanetType::Terran => ", grows by 1 in 5",
        heliopause_stellar_conquest::PlanetType::SubTerran => ", grows by 1 in 10",
        _ => ", does not grow",
    };
    format!("{kind}{rich}{grows}; room for {room}M of {}M", world.capacity)
}

fn land(landing: &LandingChoices, count: u32) -> Order {
    let ships = landing.ships.iter().copied().take(count as usize).collect();
    Order::Land { ships, planet: landing.planet }
}

/// Alone in Outer Space: raids of all that can go from a star, for as long as a raid may last.
fn raids(case: &Case) -> Vec<Entry> {
    let mut entries = Vec::new();
    for raid in &case.choices.raids {
        let fleet = words::fleet(fleet(case, &raid.ships));
        for &target in &raid.targets {
            let sortie = Sortie { ships: raid.ships.clone(), target, rounds: 2, path: Vec::new() };
            let order = Order::Raid(sortie);
            entries
                .push(Entry::order(format!("Raid {target} from {} with {fleet}, up to two rounds", raid.from), order));
        }
    }
    entries
}

/// Alone in Outer Space: ships go on from a star where they may not stay.
fn places(case: &Case) -> Menu {
    let entries = listed(case, |order| matches!(order, Order::Place { .. }));
    let lead = vec!["Ships of yours may not stay where they are.".to_owned()];
    Menu { lead, entries, hint: "Typed: place Q19 to Alcor.".to_owned() }
}

/// Alone in Outer Space: what is decreed, and what is left to choose.
fn decree(case: &Case) -> Menu {
    let entries = listed(case, |order| matches!(order, Order::Decree(_)));
    let mut lead = Vec::new();
    for colony in case.choices.decree.iter().flat_map(|decree| &decree.colonies) {
        let at = format!("{} {}", colony.planet.star, colony.planet.nth + 1);
        let [first, second, third] = colony.areas.map(|area| format!("{area:?}").to_lowercase());
        let goes = colony.emigrants + colony.bonus;
        let budget = format!("{} to {} for {first}, then {second}, {third}", colony.least, colony.most);
        lead.push(format!("{at}: {} i.p.; {goes} transports; {budget}.", colony.output));
    }
    let hint = "Typed: decree Alcor 1: spend 30; 1 fighter; 2 scouts | posts Alcor; then ready.".to_owned();
    Menu { lead, entries, hint }
}

/// Ships for the Empire: the usual choice, and how to make another.
fn recall(case: &Case) -> Menu {
    let mut menu = Menu::default();
    let Some((ships, half_points)) = &case.choices.recall else { return menu };
    menu.lead.push(format!(
        "Ships worth {} points leave for the Empire (C 1, S half, F 2, DS 5); these can go: {}.",
        words::halves(*half_points),
        words::fleet(fleet(case, ships))
    ));
    if let Some(order @ Order::Recall { .. }) = StellarConquest::default_order(&case.view) {
        let Order::Recall { ships } = &order else { return menu };
        let text = format!(
            "Send {} {} (what happens if you do not answer)",
            words::fleet(fleet(case, ships)),
            words::numbers(ships)
        );
        menu.entries.push(Entry::order(text, order.clone()));
    }
    menu.hint = format!("Typed: recall {}; `report` shows the numbers of your ships by place.", words::numbers(ships));
    menu
}

/// The question for a number.
pub(super) fn count(counting: &Counting) -> Menu {
    let Counting { question, least, most, .. } = counting;
    Menu {
        lead: vec![format!("{question}? {least} to {most} [{most}]")],
        entries: Vec::new(),
        hint: "A number, Enter for the number in brackets, or back.".into(),
    }
}

/// The number that was typed; Enter means all.
pub(super) fn read_count(case: &Case, counting: &Counting, line: &str) -> Option<Does> {
    let number = if line.is_empty() { counting.most } else { line.parse().ok()? };
    if !(counting.least..=counting.most).contains(&number) {
        return Some(Does::Say(format!("Between {} and {}.", counting.least, counting.most)));
    }
    let order = match &counting.of {
        Counted::Landing(ships, planet) => {
            Order::Land { ships: ships.iter().copied().take(number as usize).collect(), planet: *planet }
        }
        Counted::Razing(planet) => Order::Raze { planet: *planet, factories: number },
        Counted::Killing(planet) => {
            Order::Kill { planet: *planet, millions: u16::try_from(number).unwrap_or(u16::MAX) }
        }
    };
    Some(match case.refusal(&order) {
        Some(why) => Does::Say(why),
        None => Does::Orders(vec![order]),
    })
}

/// The standing orders: a number changes a line.
pub(super) fn standing(case: &Case) -> Menu {
    let Some(power) = case.view.power() else { return Menu::default() };
    let entry = |line: orders::Line| Entry {
        cells: vec![line.about.to_owned(), line.now.to_owned(), format!("(change to: {})", line.next)],
        does: Does::Orders(vec![Order::Standing(line.changed)]),
    };
    Menu {
        lead: vec![
            "Standing orders answer for you when you are attacked; where they say `ask me`, the game waits.".into(),
        ],
        entries: orders::lines(power.standing).into_iter().map(entry).collect(),
        hint: "A number changes that line; back returns to your turn.".into(),
    }
}
