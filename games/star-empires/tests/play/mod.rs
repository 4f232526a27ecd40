//! Random play by empires and a game master, with the orders of `templates.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use heliopause_kernel::{Actor, CloseCause, Emitted, Game, Seat, Setup, Viewer};
use heliopause_star_empires::{
    Coord, EmpireView, Event, Galaxy, Name, Options, Order, OwnShip, Sector, Sheet, StarEmpires,
    View, handle,
};
use heliopause_testing::{Player, Rng};

pub(crate) type Watched = heliopause_testing::Watched<StarEmpires>;

pub(crate) struct RandomEmpires;

impl Player for RandomEmpires {
    type Game = StarEmpires;
    const CASES: u32 = 12;
    const STEPS: usize = 8;
    const ORDERS: usize = 1;

    fn setup(chance: &mut Rng) -> Setup<Options> {
        let options = StarEmpires::unattended(options(chance));
        Setup { options, players: 2 + chance.below(4) }
    }

    fn order(watched: &Watched, seat: Seat, chance: &mut Rng) -> Option<Order> {
        let order = Order::Sheet(sheet(chance, watched.own(seat)));
        watched.game.judge(Actor::Seat(seat), &order).is_ok().then_some(order)
    }

    fn master_order(watched: &Watched, chance: &mut Rng) -> Option<Order> {
        Some(master_order(chance, watched, watched.game.galaxy()))
    }
}

pub(crate) fn begin(number: u64, empires: usize, options: Options) -> Watched {
    Watched::new(&Setup { options, players: empires }, number)
}

pub(crate) fn own(watched: &Watched, seat: Seat) -> &EmpireView {
    watched.own(seat).own().expect("a seat has an empire")
}

pub(crate) fn turn(watched: &mut Watched, chance: &mut Rng) -> Emitted<Event> {
    if chance.one_in(2) || watched.game.turn() < 2 {
        for _ in 0..chance.below(6) {
            let order = master_order(chance, watched, watched.game.galaxy());
            let _ = watched.submit(Actor::GameMaster, &order);
        }
    }
    for seat in Seat::first(watched.seats()) {
        let order = Order::Sheet(sheet(chance, watched.own(seat)));
        let _ = watched.submit(Actor::Seat(seat), &order);
    }
    watched.close(CloseCause::Deadline)
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|| panic!("{text} is a name"))
}

/// Returns options for small galaxies, in which empires meet early.
pub(crate) fn options(chance: &mut Rng) -> Options {
    let mut options = Options::default();
    let generator = &mut options.generator;
    generator.radius = Some(4 + chance.below(3) as u16);
    generator.nearby_radius = 1;
    generator.wormnets = 3;
    (generator.portal_distance_min, generator.portal_homeworld_distance_min) = (2, 1);
    (generator.nebula_percent, generator.storm_percent) = (10, 10);
    options.local_frames = !chance.one_in(3);
    options.portal_collapse_percent = 20;
    options.automatic_victory = chance.one_in(4).then_some(true);
    options.last_turn = chance.one_in(4).then_some(6);
    options
}

/// The templates of each heading, each as often as its weight.
static TEMPLATES: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let (mut templates, mut heading) = (BTreeMap::<_, Vec<_>>::new(), "");
    for line in include_str!("templates.txt").lines().skip_while(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix("## ") {
            heading = title;
        } else if let Some((weight, template)) = line.split_once(' ') {
            let copies = std::iter::repeat_n(template, weight.parse().expect("a weight"));
            templates.entry(heading).or_default().extend(copies);
        }
    }
    templates
});

/// A filled template.
pub(crate) struct Filled {
    pub line: String,
    /// The lines as in offers, one for each item of a list. Empty if no offer has this notation.
    pub parts: Vec<String>,
}

/// Fills templates with random words from lists.
struct Words<'a> {
    chance: &'a mut Rng,
    lists: BTreeMap<&'static str, Vec<String>>,
}

impl Words<'_> {
    fn fill(&mut self, heading: &str) -> Filled {
        let template = self.chance.pick(&TEMPLATES[heading]);
        let (mut line, mut parts) = (String::new(), vec![String::new()]);
        for (nth, piece) in template.trim_start_matches('~').split(['{', '}']).enumerate() {
            let items = match piece.strip_suffix('+') {
                _ if nth % 2 == 0 => vec![piece.to_owned()],
                Some(list) => self.some(list),
                None => vec![self.word(piece)],
            };
            line += &items.join(" ");
            let with = |item: &String| -> Vec<String> {
                parts.iter().map(|part| part.clone() + item).collect()
            };
            parts = items.iter().flat_map(with).collect();
        }
        if template.starts_with('~') {
            parts.clear();
        }
        Filled { line, parts }
    }

    fn word(&mut self, word: &str) -> String {
        let number = |text: &str| text.parse::<usize>().ok();
        if let Some(list) = word.strip_suffix('*') {
            self.some(list).join(" ")
        } else if word.contains('|') {
            self.chance.pick(&word.split('|').collect::<Vec<_>>()).to_owned()
        } else if let Some((least, most)) = word.split_once('-') {
            let (least, most) = number(least).zip(number(most)).expect("a range");
            (least + self.chance.below(most - least + 1)).to_string()
        } else {
            self.chance.pick(&self.lists[word])
        }
    }

    fn some(&mut self, list: &str) -> Vec<String> {
        let mut items: Vec<String> = (0..=self.chance.below(2)).map(|_| self.word(list)).collect();
        items.dedup();
        items
    }

    /// Sets the words for one ship. It goes to a world, ship or portal nearby, or anywhere.
    fn describe(&mut self, own: &EmpireView, ship: &OwnShip, foes: &[String], gate: Option<Name>) {
        let chart = &own.chart;
        let worlds = chart.worlds.iter().filter(|row| row.owner != Some(own.status.seat));
        let places = worlds.map(|row| row.at).chain(chart.portals.iter().map(|row| row.at));
        let ships = chart.ships.iter().map(|row| row.at);
        let places = places.chain(ships).chain(chart.fleets.iter().map(|row| row.at));
        let mut goals: Vec<Coord> =
            places.filter(|place| (1..=3).contains(&place.distance(ship.at))).collect();
        if goals.is_empty() || self.chance.one_in(4) {
            let mut step = || self.chance.below(5) as i16 - 2;
            goals = vec![Coord::new(ship.at.o + step(), ship.at.y + step())];
        }
        let any_target = foes.is_empty() || self.chance.one_in(8);
        let targets = if any_target { self.lists["empire"].clone() } else { foes.to_vec() };
        let gates =
            gate.map_or_else(|| self.lists["portal"].clone(), |gate| vec![gate.to_string()]);
        self.lists.extend([
            ("me", vec![handle(ship.name, ship.serial).to_string()]),
            ("place", vec![ship.at.to_string()]),
            ("goal", goals.iter().map(Coord::to_string).collect()),
            ("target", targets),
            ("gate", gates),
        ]);
    }
}

/// Returns random lines of an empire. Some refer to things that do not exist.
pub(crate) fn lines(chance: &mut Rng, own: &EmpireView) -> Vec<Filled> {
    let (chart, seat) = (&own.chart, own.status.seat);
    let handles = |ships: &mut dyn Iterator<Item = &OwnShip>| {
        ships.map(|ship| handle(ship.name, ship.serial).to_string()).collect()
    };
    let crew = &mut own.ships.iter().filter(|ship| ship.class != name("starbase"));
    let worlds = chart.worlds.iter().filter(|row| row.owner == Some(seat));
    let others = own.empires.iter().filter(|seen| seen.seat != seat);
    let mut lists: BTreeMap<&str, Vec<String>> = BTreeMap::from([
        ("ship", handles(&mut own.ships.iter())),
        ("crew", handles(crew)),
        ("world", worlds.map(|row| row.name.to_string()).collect()),
        ("portal", chart.portals.iter().map(|row| row.name.to_string()).collect()),
        ("empire", others.map(|seen| seen.name.to_string()).collect()),
        ("class", own.classes.iter().map(|class| class.name.to_string()).collect()),
    ]);
    for (list, items) in &mut lists {
        if items.is_empty() || *list != "world" && chance.one_in(8) {
            items.push("Nowhere".to_owned());
        }
    }
    let here = own.ships.iter().take(2).map(|ship| ship.at);
    lists.insert("spot", here.chain([Coord::new(0, 0)]).map(|at| at.to_string()).collect());
    let mut words = Words { chance, lists };
    let mut lines = Vec::new();
    for ship in &own.ships {
        if words.chance.one_in(3) {
            continue;
        }
        let foes = chart.ships.iter().filter(|row| row.at == ship.at && !row.wreck);
        let named = |seat| own.empires.iter().find(|seen| seen.seat == seat);
        let foes = foes.filter(|row| row.owner != seat).filter_map(|row| named(row.owner));
        let foes: Vec<String> = foes.map(|seen| seen.name.to_string()).collect();
        let gate = chart.portals.iter().find(|row| row.at == ship.at).map(|row| row.name);
        words.describe(own, ship, &foes, gate);
        let heading = match () {
            () if ship.carrier.is_some() && words.chance.one_in(2) => "aboard",
            () if !foes.is_empty() && words.chance.one_in(2) => "meeting",
            () if gate.is_some() && words.chance.one_in(3) => "portal",
            () => "ship",
        };
        lines.push(words.fill(heading));
    }
    lines.extend((0..words.chance.below(8)).map(|_| words.fill("empire")).collect::<Vec<_>>());
    lines
}

pub(crate) fn sheet(chance: &mut Rng, view: &View) -> Sheet {
    let lines = lines(chance, view.own().expect("the view of an empire"));
    let text: Vec<String> = lines.into_iter().map(|filled| filled.line).collect();
    match parsed(view, &text.join("\n")) {
        Order::Sheet(sheet) => sheet,
        order @ Order::Master(_) => panic!("{order:?} is not a sheet"),
    }
}

pub(crate) fn parsed(view: &View, text: &str) -> Order {
    let orders = StarEmpires::parse(view, text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    if let [Order::Sheet(sheet)] = &orders[..] {
        assert_eq!(sheet.unreadable_lines, [], "{text}");
    }
    orders.into_iter().next().expect("an order")
}

/// Returns a random order of the game master about the objects of a galaxy.
pub(crate) fn master_order(chance: &mut Rng, watched: &Watched, galaxy: &Galaxy) -> Order {
    let somewhere = Sector::new(chance.below(7) as i16 - 3, chance.below(7) as i16 - 3).to_string();
    let inhabited = galaxy.worlds.iter().filter(|world| world.owner.is_some());
    let mut at: Vec<String> = inhabited.map(|world| world.at.to_string()).collect();
    if at.is_empty() || chance.one_in(2) {
        at = vec![somewhere.clone()];
    }
    let fleet = galaxy.ships.iter().filter_map(|ship| {
        let owner = galaxy.empires.iter().find(|empire| empire.code == ship.serial.code())?;
        Some(format!("{} {}", owner.name, ship.serial))
    });
    let mut lists: BTreeMap<&str, Vec<String>> = BTreeMap::from([
        ("empire", galaxy.empires.iter().map(|empire| empire.name.to_string()).collect()),
        ("world", galaxy.worlds.iter().map(|world| world.name.to_string()).collect()),
        ("portal", galaxy.portals.iter().map(|portal| portal.name.to_string()).collect()),
        ("storm", galaxy.storms.iter().map(|storm| storm.name.to_string()).collect()),
        ("class", galaxy.classes.iter().map(|class| class.name.to_string()).collect()),
        ("fleet", fleet.collect()),
        ("somewhere", vec![somewhere]),
        ("at", at),
    ]);
    for (list, items) in &mut lists {
        if items.is_empty() {
            *items = vec![if *list == "fleet" { "Nowhere Nobody" } else { "Nowhere" }.to_owned()];
        }
    }
    let order = Words { chance, lists }.fill("master").line;
    parsed(watched.view(Viewer::GameMaster), &order)
}
