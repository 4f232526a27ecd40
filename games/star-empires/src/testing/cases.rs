//! Cases of the rules as text files: a site, orders, and what the orders lead to.
//!
//! A case begins with `## ` and its title; `# ` begins a comment. A line adds to the site (`ships A
//! probe (0,0) Eye`), gives an order of an empire or of the game master (`A: MOVE Eye TO (1,0) =>
//! done`), runs the update (`update`), or states what is true now (`at A Eye = (1,0)`). `from
//! TITLE` begins with the lines of another case. Results after `=>` are compared when the update
//! has run. `check: LINES => VERDICTS` checks a sheet of A, `offered: LINE` looks for an offer, and
//! `now: ORDER` submits an order of the game master.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use heliopause_kernel::{Actor, Emitted, Game, Seat, Viewer, Wire};

use super::{Site, name, seat};
use crate::chart::{Chart, ShipSeen};
use crate::empire::{Grant, Granted};
use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::order::Order;
use crate::position::StarEmpires;
use crate::reason::{Check, Fate, Remark, Verdict};
use crate::report::{Item, Report};
use crate::ship::Serial;
use crate::text::{parse_master, parse_sheet};

/// All files of cases.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/testing/cases");
    let files = std::fs::read_dir(folder).expect("the folder of the cases");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text file")).collect()
});

const EMPIRES: [&str; 3] = ["A", "B", "C"];

#[test]
fn every_case_holds() {
    let cases = cases();
    let (mut kinds, mut wrong) = (BTreeSet::new(), String::new());
    for case in &cases {
        println!("{}", case.title);
        let mut stage = Stage::new();
        stage.perform(case, &cases);
        assert!(stage.given.is_empty(), "{}: orders without an update", case.title);
        kinds.extend(stage.kinds);
        wrong += &stage.wrong;
    }
    assert!(wrong.is_empty(), "These are not so:{wrong}");
    let expected = "Class Contact Delivery Designed Given Homeworld Master Navigation Owner Portal \
        Production Salvaged Ship Siege";
    assert_eq!(joined(kinds), expected, "every kind of news is read back from its message");
}

struct Case<'a> {
    title: &'a str,
    lines: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    let lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    for line in lines {
        match line.strip_prefix("## ") {
            Some(title) => cases.push(Case { title, lines: Vec::new() }),
            None => cases.last_mut().expect("a title").lines.push(line),
        }
    }
    cases
}

fn titled<'a, 'b>(cases: &'b [Case<'a>], title: &str) -> &'b Case<'a> {
    let case = cases.iter().find(|case| case.title == title);
    case.unwrap_or_else(|| panic!("no case is titled {title}"))
}

/// Returns the site that a case sets up.
pub(crate) fn scene(title: &str) -> Site {
    let cases = cases();
    let mut stage = Stage::new();
    stage.perform(titled(&cases, title), &cases);
    stage.site
}

/// An order for the next update. `by` is `GM` or an empire.
struct Given<'a> {
    by: &'a str,
    order: &'a str,
    result: Option<&'a str>,
}

struct Stage<'a> {
    site: Site,
    given: Vec<Given<'a>>,
    reports: [Arc<Report>; 3],
    /// The kinds of news so far, and how classes became known.
    kinds: BTreeSet<String>,
    /// The lines that do not hold, with what is true instead.
    wrong: String,
}

impl<'a> Stage<'a> {
    fn new() -> Self {
        let (site, given, reports) = (Site::new(), Vec::new(), Default::default());
        Self { site, given, reports, kinds: BTreeSet::new(), wrong: String::new() }
    }

    fn perform(&mut self, case: &Case<'a>, cases: &[Case<'a>]) {
        for &line in &case.lines {
            println!("  {line}");
            let order = line.split_once(": ").filter(|(by, _)| !by.contains(' '));
            if let Some(title) = line.strip_prefix("from ") {
                self.perform(titled(cases, title), cases);
            } else if let Some((by, order)) = order {
                let (order, result) = match order.split_once(" => ") {
                    Some((order, result)) => (order, Some(result)),
                    None => (order, None),
                };
                self.give(by, order, result);
            } else if let Some((question, expected)) = line.split_once(" = ") {
                let words: Vec<&str> = question.split_whitespace().collect();
                let found = self.answer(&words);
                self.expect(line, &found, expected);
            } else if line == "update" {
                self.update();
            } else {
                self.site.add(line);
            }
        }
    }

    fn expect(&mut self, line: &str, found: &str, expected: &str) {
        if found != expected {
            let _ = write!(self.wrong, "\n{line}: expected {expected}, found {found}");
        }
    }

    fn give(&mut self, by: &'a str, order: &'a str, result: Option<&'a str>) {
        match by {
            "check" => {
                let checks = checked(&self.site.game, order);
                let expected = result.expect("a verdict");
                let last = checks.len() - expected.split("; ").count();
                self.expect(order, &checks[last..].join("; "), expected);
            }
            "offered" | "not-offered" => {
                let offers = self.site.game.offers_of(Seat::at(0));
                assert_eq!(offers.check(), Ok(()));
                let is_offered = offers.that_makes(order).is_some();
                self.expect(order, if is_offered { "offered" } else { "not-offered" }, by);
                if let Some(result) = result {
                    self.expect(order, &checked(&self.site.game, order).concat(), result);
                }
            }
            "now" => {
                let master = parse_master(order).expect("an order").remove(0);
                let told = self.site.submit(Actor::GameMaster, master);
                let reason = told.as_ref().err().map_or("done", |refusal| &*refusal.reason);
                self.expect(order, reason, result.unwrap_or("done"));
                self.read_back(&told.unwrap_or_default());
            }
            _ => self.given.push(Given { by, order, result }),
        }
    }

    fn lines_of(&self, by: &str) -> Vec<&'a str> {
        self.given.iter().filter(|given| given.by == by).map(|given| given.order).collect()
    }

    fn store_sheets(&mut self) {
        for empire in EMPIRES {
            let lines = self.lines_of(empire);
            self.site.orders(empire, lines);
        }
    }

    /// Checks that events, views and briefings can be read from their messages.
    fn read_back(&self, told: &Emitted<Event>) {
        told.iter().for_each(|addressed| assert_read_back(&addressed.event));
        let views = [Viewer::GameMaster, Viewer::Spectator].map(|it| self.site.game.view(it));
        for view in Seat::first(3).map(|seat| self.site.game.briefing(seat)).chain(views) {
            assert_eq!(StarEmpires::read_view(&StarEmpires::write_view(&view)), Ok(view));
        }
    }

    /// Runs an update, and compares the results of the orders.
    fn update(&mut self) {
        self.store_sheets();
        let orders = self.lines_of("GM");
        let told = self.site.master(orders).close();
        self.read_back(&told);
        let reports = self.site.game.knowledge.iter().map(|knowledge| knowledge.report.clone());
        self.reports = reports.collect::<Vec<_>>().try_into().expect("three empires");
        let mut results: Vec<(&str, String)> = Vec::new();
        for (empire, report) in EMPIRES.into_iter().zip(&self.reports) {
            results.extend(report.results.iter().map(|it| (empire, outcome(it.fate, &it.remarks))));
            for news in &report.news {
                self.kinds.insert(first_word(&format!("{:?}", news.item)));
                if let Item::Class { source, .. } = news.item {
                    self.kinds.insert(first_word(&format!("{source:?}")));
                }
            }
        }
        for event in told.to(Viewer::GameMaster) {
            if let Event::MasterResults { results: all } = event {
                results.extend(all.iter().map(|it| ("GM", outcome(it.fate, &it.remarks))));
            }
        }
        for by in EMPIRES.into_iter().chain(["GM"]) {
            let given: Vec<Given<'_>> = self.given.extract_if(.., |given| given.by == by).collect();
            let found: Vec<_> = results.iter().filter(|(other, _)| *other == by).collect();
            assert_eq!(given.len(), found.len(), "each order of {by} has a result");
            for (Given { order, result, .. }, (_, found)) in given.iter().zip(found) {
                self.expect(order, found, result.unwrap_or(found));
            }
        }
    }

    fn answer(&mut self, words: &[&str]) -> String {
        if let ["warnings", empire] = *words {
            self.store_sheets();
            self.given.clear();
            return self.warnings(empire);
        }
        let (site, galaxy) = (&self.site, &self.site.game.galaxy);
        let index = EMPIRES.iter().position(|it| words.get(1) == Some(it)).unwrap_or_default();
        let (empire, report) = (&galaxy.empires[index], &self.reports[index]);
        let storm = |storm: &str| galaxy.storms.iter().find(|it| it.name == name(storm)).unwrap();
        match *words {
            ["at", empire, ship] => {
                site.find(empire, ship).map_or("lost".into(), |ship| ship.at.to_string())
            }
            ["dp", empire, ship] => {
                site.find(empire, ship).map_or("lost".into(), |ship| ship.dp.to_string())
            }
            ["carrier", empire, ship] => {
                let carrier = site.ship(empire, ship).carrier;
                carrier.map_or("none".into(), |it| galaxy.ship(it.id()).handle().to_string())
            }
            ["public", empire, ship] => yes(site.ship(empire, ship).public),
            ["owner", world] => owner(galaxy.world(site.world_id(world)).owner),
            ["ru", ref worlds @ ..] => {
                let world = |world: &&str| galaxy.world(site.world_id(world));
                joined(worlds.iter().map(|it| world(it).stockpile.to_string()))
            }
            ["home", _] => joined(empire.homeworld.map(|it| galaxy.world(it).name.to_string())),
            ["worlds"] => joined(galaxy.worlds.iter().map(|world| world.name.to_string())),
            ["portal", portal] => {
                let portal = galaxy.portal(site.portal_id(portal));
                format!("{}{}", portal.at, if portal.collapsed { " collapsed" } else { "" })
            }
            ["rating", it] => storm(it).rating.to_string(),
            ["initial", it] => storm(it).initial.to_string(),
            ["class", class] => {
                let class = galaxy.class(site.class_id(class));
                let ratings = joined(class.ratings.list().iter().map(ToString::to_string));
                let (tonnage, cost, fee) = (class.tonnage, class.cost, class.fee());
                let repairs = class.auto_repair();
                format!("{ratings}; {tonnage} t, {cost} RU, fee {fee}, repairs {repairs}")
            }
            ["knows", _, class] => yes(empire.classes.contains(site.class_id(class))),
            ["data", _] => {
                joined(empire.navigation.iter().map(|it| galaxy.portal(it).name.to_string()))
            }
            ["contacts", _] => joined(empire.contacts.iter().map(|seat| owner(Some(seat)))),
            ["known", _] => joined(empire.known_empires.iter().map(|seat| owner(Some(seat)))),
            ["abandoned", _] => empire.abandoned_turns.to_string(),
            ["grants", _] => listed(empire.grants.iter().map(|grant| granted(galaxy, grant)), "; "),
            ["map", _, ref what @ ..] => on_map(&site.game.knowledge[index].chart, what),
            ["turn"] => site.game.turn.to_string(),
            ["waiting"] => site.game.waiting.len().to_string(),
            ["scans", _] => listed(report.last_scans.iter().map(|it| pictured(&it.seen)), "; "),
            ["number", deed] => self.deeds(deed).len().to_string(),
            ["ships-with", deed] => joined(self.deeds(deed).into_iter().map(|(ship, _)| ship)),
            ["deed", deed] => {
                let amounts = self.deeds(deed).into_iter();
                listed(amounts.map(|(ship, amount)| format!("{ship} {amount}")), ", ")
            }
            ["news", _, kind] => {
                let news = report.news.iter();
                let of_kind = news.filter(|news| first_word(&format!("{:?}", news.item)) == kind);
                joined(of_kind.map(|news| news.section.as_str().to_owned()))
            }
            ["produced", _] => joined(report.news.iter().filter_map(|news| match news.item {
                Item::Production { amount } => Some(amount.to_string()),
                _ => None,
            })),
            _ => panic!("{words:?} is not a question of a case"),
        }
    }

    /// Returns each ship with this deed and the amount, as reported to its owner, by name.
    fn deeds(&self, named: &str) -> Vec<(String, u32)> {
        let mut deeds = Vec::new();
        for (seat, report) in Seat::first(3).zip(&self.reports) {
            deeds.extend(report.news.iter().filter_map(|news| {
                match news.item {
                    Item::Ship { ship, kind, amount, .. } => (ship.owner == seat
                        && format!("{kind:?}") == named)
                        .then(|| (ship.name.to_string(), amount.unwrap_or(0))),
                    _ => None,
                }
            }));
        }
        deeds.sort();
        deeds
    }

    /// Returns the warnings for the stored sheet, with the object that would mend each.
    fn warnings(&self, empire: &str) -> String {
        let view = self.site.game.view(Viewer::Seat(seat(empire)));
        let told = StarEmpires::warnings(&view, None).into_iter().map(|warning| {
            let mend = warning.mend.map_or(String::new(), |mend| format!(" -> {}", mend.about));
            format!("{} {}: {}{mend}", warning.code, warning.rule, warning.sentence)
        });
        listed(told, " | ")
    }
}

/// Returns `+` (accepted), `?` (warned) or `!` (rejected) and the first remark for each line of a
/// sheet of A. Lines are separated by semicolons.
pub(crate) fn checked(game: &StarEmpires, lines: &str) -> Vec<String> {
    let order = Order::Sheet(parse_sheet(&lines.replace("; ", "\n")).expect("a sheet"));
    let event = game.preview(Actor::Seat(Seat::at(0)), &order).expect("a short sheet");
    assert_read_back(&event);
    let Event::SheetStored { checks, .. } = event else { panic!("{event:?} is not a preview") };
    let tell = |check: &Check| {
        let sign = match check.verdict {
            Verdict::Accepted => "+",
            Verdict::Warned => "?",
            Verdict::Rejected => "!",
        };
        let remark = check.remarks.first();
        let remark = remark.map(|remark| format!("{} {}", remark.item, remark.reason));
        format!("{sign}{}", remark.unwrap_or_default())
    };
    checks.iter().map(tell).collect()
}

fn assert_read_back(event: &Event) {
    assert_eq!(StarEmpires::read_event(&StarEmpires::write_event(event)).as_ref(), Ok(event));
}

fn outcome(fate: Fate, remarks: &[Remark]) -> String {
    let fate = format!("{fate:?}").to_lowercase();
    let tell = |remark: &Remark| format!("{} {}", remark.item, remark.reason).trim().to_owned();
    let remarks: Vec<String> = remarks.iter().map(tell).collect();
    if remarks.is_empty() { fate } else { format!("{fate}: {}", remarks.join(", ")) }
}

fn granted(galaxy: &Galaxy, grant: &Grant) -> String {
    let to = owner(Some(grant.to));
    let Granted::Some { sectors, ships, classes } = &grant.scans else {
        return format!("{to}: all");
    };
    let ship = |serial: &Serial| {
        galaxy.ships.iter().find(|ship| ship.serial == *serial).expect("a ship").handle()
    };
    let sectors = sectors.iter().map(ToString::to_string);
    let ships = ships.iter().map(|serial| ship(serial).to_string());
    let classes = classes.iter().map(|&class| galaxy.class(class).name.to_string());
    format!("{to}: {}", joined(sectors.chain(ships).chain(classes)))
}

fn on_map(chart: &Chart, what: &[&str]) -> String {
    match *what {
        ["worlds"] => joined(chart.worlds.iter().map(|row| row.name.to_string())),
        ["portals"] => joined(chart.portals.iter().map(|row| row.name.to_string())),
        ["storms"] => joined(chart.storms.iter().map(|row| row.name.to_string())),
        ["ratings"] => joined(chart.storms.iter().map(|row| row.rating.to_string())),
        ["sectors"] => joined(chart.sectors.iter().map(|row| row.at.to_string())),
        ["at", object] => joined(chart.object(name(object)).map(|at| at.to_string())),
        ["world", world] => {
            let rows = chart.worlds.iter().filter(|row| row.name == name(world));
            joined(rows.map(|row| {
                let stockpile = row.stockpile.map_or("?".into(), |stockpile| stockpile.to_string());
                format!("{} {} {stockpile}", owner(row.owner), row.production)
            }))
        }
        ["status", place] => {
            let rows = chart.sectors.iter().filter(|row| row.at.to_string() == place);
            joined(rows.map(|row| format!("{:?}", row.status)))
        }
        _ => panic!("{what:?} is not on a map"),
    }
}

/// Returns the sector and the ships of a last scan. Wrecks have a plus sign.
fn pictured(chart: &Chart) -> String {
    let at = chart.sectors[0].at;
    let row = |row: &ShipSeen| {
        let elsewhere = if row.at == at { String::new() } else { format!("@{}", row.at) };
        format!("{}{}{elsewhere}", row.name, if row.wreck { "+" } else { "" })
    };
    let names: BTreeSet<String> = chart.ships.iter().map(row).collect();
    let others = chart.sectors.iter().skip(1).map(|sector| format!(" and {}", sector.at));
    format!("{at} {}{}", joined(names), others.collect::<String>())
}

fn owner(seat: Option<Seat>) -> String {
    seat.map_or("none", |seat| EMPIRES[seat.index()]).to_owned()
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

fn first_word(debug: &str) -> String {
    debug.split([' ', '(']).next().unwrap_or_default().to_owned()
}

fn listed(items: impl IntoIterator<Item = String>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().collect();
    if items.is_empty() { "none".to_owned() } else { items.join(separator) }
}

fn joined(items: impl IntoIterator<Item = String>) -> String {
    listed(items, " ")
}
