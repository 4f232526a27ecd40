//! The panels: treasury, ships, empires, classes, prices, and the contents of sectors.

use std::collections::BTreeMap;
use std::fmt;

use heliopause_kernel::Seat;
use heliopause_star_empires::{
    Class, Coord, Design, EmpireView, Hull, Insight, Name, OwnShip, Ratings, Serial, Siege, Status,
    WorldSeen, handle,
};

use super::atlas::{Atlas, Cell};
use super::scene::{counted, group_title, portal_title, siege, storm_title, world_title};
use super::window::{Layer, Window};
use crate::scene::{ScenePanel, SceneRow, figure, number, panel, states};
use crate::text::listed;

/// The number of ships that a row beside the map names. The list of pieces in the row is complete.
pub(super) const NAMES_MAX: usize = 12;
/// The maximum number of rows of an open list of sectors. Longer lists are folded.
const OPEN_ROWS: usize = 12;
/// The maximum number of rows in text output.
const ROWS_MAX: usize = 40;

/// Builds the panels. Panels about the whole empire are only beside the whole map. A row names at
/// most `names_max` ships.
pub(super) fn build(
    atlas: &Atlas,
    window: &Window,
    places: &[Coord],
    names_max: usize,
) -> Vec<ScenePanel> {
    let mut panels = Vec::new();
    if window.is_whole() {
        match &atlas.view.insight {
            Insight::Empire(own) => {
                panels.push(treasury(atlas, own));
                panels.push(ships(atlas, own, names_max));
                panels.push(empires(atlas));
                panels.push(known_classes(own));
                panels.push(prices());
            }
            Insight::Master(all) => {
                panels.push(empires(atlas));
                panels.push(classes(&all.galaxy.classes, &[], &[]));
            }
            Insight::Spectator => {}
        }
    }
    panels.push(sectors(atlas, window, places));
    panels.retain(|panel| !panel.rows.is_empty() || !panel.figures.is_empty());
    panels
}

pub(super) fn treasury(atlas: &Atlas, own: &EmpireView) -> ScenePanel {
    let is_own = |world: &&WorldSeen| world.owner == atlas.seat;
    let mut worlds: Vec<&WorldSeen> = own.chart.worlds.iter().filter(is_own).collect();
    worlds.sort_by_key(|world| (!world.homeworld, world.at.distance(atlas.home), world.at));
    let stock = |world: &WorldSeen| u64::from(world.stockpile.unwrap_or_default());
    let held: u64 = worlds.iter().filter(|it| is_besieged(it)).map(|it| stock(it)).sum();
    let stock: u64 = worlds.iter().map(|world| stock(world)).sum();
    let production: u64 = worlds.iter().map(|world| u64::from(world.production)).sum();
    let known: u64 = own.chart.worlds.iter().map(|world| u64::from(world.production)).sum();
    let held = if held == 0 { String::new() } else { format!("{held} under siege") };
    let row = |world: &&WorldSeen| SceneRow {
        cells: vec![
            world.name.to_string(),
            world.at.to_string(),
            world.production.to_string(),
            world.stockpile.map_or_else(|| "?".into(), |stockpile| stockpile.to_string()),
            remark(world),
        ],
        places: vec![world.name.to_string(), world.at.to_string()],
        states: states([(true, "own"), (is_besieged(world), "bad")]),
        ..SceneRow::default()
    };
    let rows = worlds.iter().map(row).collect();
    let columns = "world | sector | #RU a turn | #in stock | ";
    ScenePanel {
        figures: vec![
            figure("RU in stock", stock, &held),
            figure("RU a turn", production, "ships have no upkeep"),
            figure("worlds", worlds.len(), ""),
            figure(
                "share",
                format!("{production} of {known} known RU a turn"),
                "half of the galaxy's production wins",
            ),
        ],
        ..panel("treasury", "Treasury", columns, rows)
    }
}

fn is_besieged(world: &WorldSeen) -> bool {
    matches!(world.siege, Some(Siege::Blockaded | Siege::Interdicted))
}

fn remark(world: &WorldSeen) -> String {
    let homeworld = if world.homeworld { "homeworld" } else { "" };
    let parts = [homeworld, siege(world.siege)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Returns the coordinates of a sector with the name of its first object.
fn sector(atlas: &Atlas, at: Coord) -> String {
    atlas.first_object(at).map_or_else(|| at.to_string(), |name| format!("{at} {name}"))
}

struct Fleet<'a> {
    classes: BTreeMap<Name, &'a Class>,
    handles: BTreeMap<Serial, Name>,
    /// The tonnage that each carrier carries.
    cargo: BTreeMap<Serial, u32>,
    names_max: usize,
}

impl<'a> Fleet<'a> {
    fn new(own: &'a EmpireView, names_max: usize) -> Self {
        let all = own.classes.iter().chain(&own.unknown_own_classes);
        let classes: BTreeMap<Name, &Class> = all.map(|class| (class.name, class)).collect();
        let mut cargo: BTreeMap<Serial, u32> = BTreeMap::new();
        for ship in &own.ships {
            if let (Some(carrier), Some(class)) = (ship.carrier, classes.get(&ship.class)) {
                *cargo.entry(carrier).or_default() += class.tonnage;
            }
        }
        let ships = own.ships.iter();
        let handles = ships.map(|it| (it.serial, handle(it.name, it.serial))).collect();
        Self { classes, handles, cargo, names_max }
    }

    fn full(&self, ship: &OwnShip) -> u16 {
        self.classes.get(&ship.class).map_or(ship.dp, |class| class.ratings.dp)
    }

    /// Describes the damage, cargo and visibility of ships of one class. With several ships, names
    /// those that differ.
    fn condition(&self, atlas: &Atlas, ships: &[&OwnShip]) -> String {
        let name = |ship: &OwnShip| match ships {
            [_] => String::new(),
            _ => format!("{} ", handle(ship.name, ship.serial)),
        };
        let mut parts = Vec::new();
        let mut carriers: Vec<&str> = ships
            .iter()
            .filter_map(|ship| self.handles.get(&ship.carrier?))
            .map(Name::as_str)
            .collect();
        carriers.sort_unstable();
        carriers.dedup();
        if !carriers.is_empty() {
            parts.push(format!("loaded on {}", self.few(&carriers, " ")));
        }
        let damaged = ships.iter().filter(|ship| ship.dp < self.full(ship));
        let damaged: Vec<String> = damaged
            .map(|ship| format!("{}{} of {} DP", name(ship), ship.dp, self.full(ship)))
            .collect();
        if !damaged.is_empty() {
            parts.push(self.few(&damaged, ", "));
        }
        let class = ships.first().and_then(|ship| self.classes.get(&ship.class));
        let racks = class.map_or(0, |class| usize::from(class.ratings.racks)) * ships.len();
        let used: u32 = ships.iter().filter_map(|ship| self.cargo.get(&ship.serial)).sum();
        if used > 0 || racks > ships.len() {
            parts.push(format!("{used} of {racks} t loaded"));
        }
        let public = ships.iter().filter(|ship| ship.public);
        let public: Vec<Name> = public.map(|ship| handle(ship.name, ship.serial)).collect();
        if public.len() == ships.len() {
            parts.push("public".to_owned());
        } else if !public.is_empty() {
            parts.push(format!("{} public", self.few(&public, " ")));
        }
        let settings = ships.iter().flat_map(|ship| {
            let settings = [("identified to", ship.identified), ("concealed from", ship.concealed)];
            let set = settings.into_iter().filter(|(_, seats)| !seats.is_empty());
            set.map(move |(what, seats)| {
                let seats: Vec<String> = seats.iter().map(|seat| atlas.name(seat)).collect();
                format!("{}{what} {}", name(ship), listed(&seats))
            })
        });
        let settings: Vec<String> = settings.collect();
        if !settings.is_empty() {
            parts.push(self.few(&settings, ", "));
        }
        parts.join(", ")
    }

    fn few<T: fmt::Display>(&self, names: &[T], between: &str) -> String {
        let shown: Vec<String> = names.iter().take(self.names_max).map(T::to_string).collect();
        let shown = shown.join(between);
        match names.len().saturating_sub(self.names_max) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }
}

/// The distance from home, the sector, the class, and whether the ships are cargo.
type Key = (u32, Coord, Name, bool);

/// Returns the panel of the reader's ships, grouped by sector and class. Cargo is in separate
/// groups.
fn ships(atlas: &Atlas, own: &EmpireView, names_max: usize) -> ScenePanel {
    let fleet = Fleet::new(own, names_max);
    let mut groups: BTreeMap<Key, Vec<&OwnShip>> = BTreeMap::new();
    for ship in &own.ships {
        let key = (ship.at.distance(atlas.home), ship.at, ship.class, ship.carrier.is_some());
        groups.entry(key).or_default().push(ship);
    }
    let row = |(&(_, at, class, _), ships): (&Key, &Vec<&OwnShip>)| {
        let names: Vec<String> =
            ships.iter().map(|ship| handle(ship.name, ship.serial).to_string()).collect();
        SceneRow {
            cells: vec![
                sector(atlas, at),
                class.to_string(),
                ships.len().to_string(),
                fleet.few(&names, " "),
                fleet.condition(atlas, ships),
            ],
            places: vec![at.to_string()],
            pieces: names,
            states: states([(true, "own")]),
            ..SceneRow::default()
        }
    };
    let rows = groups.iter().map(row).collect();
    let loaded = own.ships.iter().filter(|ship| ship.carrier.is_some()).count();
    let damaged = own.ships.iter().filter(|ship| ship.dp < fleet.full(ship)).count();
    let loaded = if loaded == 0 { String::new() } else { format!("{loaded} loaded") };
    let columns = "place | class | #ships | names | ";
    ScenePanel {
        figures: vec![figure("ships", own.ships.len(), &loaded), figure("damaged", damaged, "")],
        ..panel("ships", "Ships", columns, rows)
    }
}

pub(super) fn empires(atlas: &Atlas) -> ScenePanel {
    let mut owned: BTreeMap<Seat, Vec<&WorldSeen>> = BTreeMap::new();
    for world in atlas.cells.values().filter_map(|cell| cell.world.as_ref()) {
        if let Some(owner) = world.owner {
            owned.entry(owner).or_default().push(world);
        }
    }
    let row = |seat: Seat| {
        let worlds = owned.get(&seat).map_or(&[][..], Vec::as_slice);
        let production: u64 = worlds.iter().map(|world| u64::from(world.production)).sum();
        let is_own = Some(seat) == atlas.seat;
        SceneRow {
            cells: vec![
                format!("{} {}", atlas.code(seat), atlas.name(seat)),
                relation(atlas, seat).to_owned(),
                worlds.len().to_string(),
                production.to_string(),
            ],
            places: worlds.iter().map(|world| world.name.to_string()).collect(),
            seat: number(seat),
            states: states([(is_own, "own")]),
            ..SceneRow::default()
        }
    };
    let rows = atlas.empires.keys().map(|seat| row(*seat)).collect();
    let columns = "empire | | #worlds | #RU a turn";
    let note = if atlas.seat.is_some() { "Only the worlds that you know count." } else { "" };
    ScenePanel { note: note.into(), ..panel("empires", "Empires", columns, rows) }
}

fn relation(atlas: &Atlas, seat: Seat) -> &'static str {
    let Some(own) = atlas.view.own() else { return "" };
    let contact = own.empires.iter().any(|empire| empire.seat == seat && empire.contact);
    match seat {
        seat if seat == own.status.seat => "you",
        seat if own.status.allies.contains(seat) => "ally",
        _ if contact => "contact",
        _ => "no contact",
    }
}

pub(super) fn known_classes(own: &EmpireView) -> ScenePanel {
    classes(&own.classes, &own.unknown_own_classes, &own.ships)
}

/// Returns the panel of classes. Ships of `flown` classes exist, but cannot be built.
fn classes(known: &[Class], flown: &[Class], ships: &[OwnShip]) -> ScenePanel {
    let mut fleet: BTreeMap<Name, usize> = BTreeMap::new();
    for ship in ships {
        *fleet.entry(ship.class).or_default() += 1;
    }
    let row = |class: &Class, buildable: bool| {
        let number = |number: u32| if number == 0 { "-".into() } else { number.to_string() };
        let mut cells = vec![class.name.to_string(), class.hull.to_string()];
        cells.extend(class.ratings.list().map(|rating| number(rating.into())));
        cells.push(class.tonnage.to_string());
        let cost =
            if buildable && !class.unbuildable { class.cost.to_string() } else { "-".into() };
        cells.push(cost);
        if !ships.is_empty() {
            cells.push(fleet.get(&class.name).copied().unwrap_or_default().to_string());
        }
        SceneRow { cells, ..SceneRow::default() }
    };
    let rows = known.iter().map(|class| row(class, true));
    let rows = rows.chain(flown.iter().map(|class| row(class, false))).collect();
    let yours = if ships.is_empty() { "" } else { " | #yours" };
    let ratings = "#guns | #DP | #engines | #scan | #racks";
    let columns = format!("class | hull | {ratings} | #t | #RU{yours}");
    panel("classes", "Ship classes", &columns, rows)
}

/// The increases of the ratings whose prices are listed.
const STEPS: [u16; 5] = [10, 10, 2, 2, 2];

fn prices() -> ScenePanel {
    let steps = "#+10 guns | #+10 DP | #+2 engines | #+2 scan | #+2 racks";
    let columns = format!("hull | base | #t | #RU | {steps}");
    ScenePanel {
        figures: vec![
            figure("build", "the class's RU", "at once, at the world that pays"),
            figure("design", "half the class's RU, rounded up", "missiles: free"),
            figure("repair", "1 RU for 2 DP", "orbitals: 3 DP"),
            figure("free repair", "a tenth of the DP a turn", "cargo of orbitals: all"),
        ],
        note: "The base is guns, DP, engines, scan and racks. The last columns are the RU that \
            higher ratings add to a design. Each further increase of a rating costs more; ratings \
            below the base save RU."
            .into(),
        folded: true,
        ..panel("prices", "Prices", &columns, Hull::ALL.into_iter().map(hull).collect())
    }
}

/// Returns the row of a hull: its price with base ratings, and the added price of higher ratings.
fn hull(hull: Hull) -> SceneRow {
    let base = hull.base();
    let class = |ratings: Ratings| {
        let guns = ratings.guns;
        let is_missile = hull == Hull::Missile;
        if is_missile && ratings != (Ratings { guns, ..base }) {
            return None;
        }
        let missile = Design::Missile { guns, tonnage: 1 };
        let design = if is_missile { missile } else { Design::Ship(hull, ratings) };
        design.class(Name::NONE).ok()
    };
    let size = |of: fn(&Class) -> u32| class(base).as_ref().map(of).unwrap_or_default();
    let (tonnage, cost) = (size(|class| class.tonnage), size(|class| class.cost));
    let ratings = base.list().map(|rating| rating.to_string()).join(" ");
    let mut cells = vec![hull.to_string(), ratings, tonnage.to_string(), cost.to_string()];
    cells.extend((0..STEPS.len()).map(|nth| {
        let mut list = base.list();
        list[nth] += STEPS[nth];
        let [guns, dp, engines, scan, racks] = list;
        let more = class(Ratings::new(guns, dp, engines, scan, racks));
        more.map_or_else(|| "-".into(), |class| format!("+{}", class.cost.saturating_sub(cost)))
    }));
    SceneRow { cells, ..SceneRow::default() }
}

/// Returns the panel with the contents of each sector, nearest first.
fn sectors(atlas: &Atlas, window: &Window, places: &[Coord]) -> ScenePanel {
    let row = |at: &Coord| {
        let cell = atlas.cell(*at)?;
        let parts = contents(atlas, cell, window.layer);
        let cells = vec![at.to_string(), parts.join("; ")];
        let places = vec![at.to_string()];
        (!parts.is_empty()).then(|| SceneRow { cells, places, ..SceneRow::default() })
    };
    let rows: Vec<SceneRow> = places.iter().filter_map(row).collect();
    let note = if rows.len() > ROWS_MAX {
        "A map around a place, or with a smaller radius, lists the others."
    } else {
        ""
    };
    let folded = rows.len() > OPEN_ROWS;
    let note = note.into();
    ScenePanel { note, folded, ..panel("sectors", "Sectors", "sector | ", rows) }
}

/// Describes what a layer shows of a sector.
fn contents(atlas: &Atlas, cell: &Cell, layer: Layer) -> Vec<String> {
    let mut parts = Vec::new();
    if layer.includes(Layer::Owners) {
        parts.extend(cell.world.iter().map(|world| world_title(atlas, world)));
    }
    if layer.includes(Layer::Portals) {
        parts.extend(cell.portals.iter().map(|portal| portal_title(atlas, portal)));
    }
    if layer.includes(Layer::Storms) {
        parts.extend(cell.storms.iter().map(|storm| storm_title(atlas, storm)));
    }
    if layer.includes(Layer::Ships) {
        for (owner, group) in atlas.groups(cell) {
            parts.extend((group.ships > 0).then(|| group_title(atlas, owner, group)));
            let whose = owner.map_or_else(String::new, |seat| format!(" of {}", atlas.name(seat)));
            let wrecks = || format!("{}{whose}", counted(group.wrecks, "wreck"));
            parts.extend((group.wrecks > 0).then(wrecks));
        }
    }
    if let (Some(Status::Stale), Some(turn), false) = (cell.status, cell.scanned, parts.is_empty())
    {
        parts.push(format!("scanned in turn {turn}"));
    }
    parts
}
