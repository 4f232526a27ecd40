//! Tests of drawings and reports of the sample view.

use heliopause_star_empires::{Coord, Deed, Item, News, Report, Serial, ShipNamed};

use super::*;
use crate::svg::Look;

fn for_request(text: &str, style: &Style) -> String {
    let map = sample::map().for_request(&MapRequest::read(text));
    map.map_or_else(|told| told, |map| map.text(style))
}

const WIDE: Style = Style { width: 170, unicode: true, ..Style::PLAIN };
const UNICODE: Style = Style { unicode: true, ..Style::PLAIN };

#[test]
fn the_maps() {
    let map = sample::map();
    insta::assert_snapshot!("map_ascii", map.text(&Style::PLAIN));
    insta::assert_snapshot!("map_unicode", map.text(&UNICODE));
    insta::assert_snapshot!("map_low", map.text(&Style { rows: Some(14), ..UNICODE }));
    insta::assert_snapshot!("map_wide", map.text(&WIDE));
    insta::assert_snapshot!("map_master", sample::map_of("disc").text(&UNICODE));
    insta::assert_snapshot!("map_part", for_request("Ember 1", &UNICODE));
    let layer = |layer: &str| for_request(&format!("0,0 3 layer:{layer}"), &UNICODE);
    let layers = ["owners", "ships", "scans", "storms", "portals"].map(layer);
    insta::assert_snapshot!("map_layers", layers.join("\n\n"));
    insta::assert_snapshot!("map_svg", map.svg(&Look::default()));
    insta::assert_snapshot!("list", map.list().join("\n"));
}

#[test]
fn the_report() {
    let report = sample::map().report();
    insta::assert_snapshot!("report", report.text(&Style { width: 110, ..UNICODE }));
    insta::assert_snapshot!("report_page", report.html("<svg/>"));
}

#[test]
fn a_part_has_only_its_sectors_and_no_panels_of_the_empire() {
    let map = sample::map().for_request(&MapRequest::read("Ember 1"));
    let scene = map.map(|map| map.scene()).unwrap_or_default();
    let keys: Vec<&str> = scene.panels.iter().map(|panel| panel.key.as_str()).collect();
    assert_eq!((scene.areas.len(), keys), (7, vec!["sectors"]));
    let frame = scene.frame.unwrap_or_default();
    let (x, y) = (frame.left + frame.width / 2.0, frame.top + frame.height / 2.0);
    let ember = scene.places.iter().find(|place| place.name == "Ember").expect("a world");
    let sector = scene.areas.iter().find(|area| area.name == ember.area).expect("its sector");
    assert!((x - sector.x).hypot(y - sector.y) < 0.1, "{frame:?} is around {sector:?}");
}

#[test]
fn bulletins_contain_only_events() {
    let bulletin = sample::map().bulletin().unwrap_or_default();
    let titles: Vec<&str> =
        bulletin.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(titles, ["Orders", "Battles", "News"]);
}

#[test]
fn spectators_see_nothing_of_the_galaxy() {
    let map = sample::map_of("spectator");
    assert!(map.text(&Style::PLAIN).contains("The galaxy is not visible"));
    assert!(map.svg(&Look::default()).contains("</svg>"));
    assert!(map.report().sections.is_empty());
}

#[test]
fn game_master_reports_cover_all_empires() {
    let mut report = sample::map_of("master").report();
    let (updated, reported) =
        (Event::Updated { turn: 7 }, Event::MasterResults { results: Vec::new() });
    let waits = Event::MasterOrders { orders: Vec::new() };
    let told = [
        (waits.clone(), "The game master's orders for the next update:\n1: OLD"),
        (updated, "Turn 7 is complete; this is map 7."),
        (reported, "Results of the game master's orders:\nCOLLAPSE Styx 2: done."),
        (waits, "The game master's orders for the next update:\n1: COLLAPSE Charon 2\n2: APPLY"),
    ];
    report.sections.splice(0..0, StarEmpires::master_events(&sample::view_of("master"), &told));
    insta::assert_snapshot!("report_master", report.text(&Style { width: 110, ..UNICODE }));
    assert!(
        StarEmpires::master_events(&sample::view(), &told).is_empty(),
        "this is for the game master alone"
    );
}

#[test]
fn stored_sheets_are_listed_line_by_line() {
    assert_eq!(StarEmpires::sheet(&sample::view()), Some(vec!["MOVE Lion TO (0,1)".to_owned()]));
    assert_eq!(StarEmpires::sheet(&sample::view_of("spectator")), None);
}

#[test]
fn empires_are_found_by_name_or_code() {
    let seat = |name| StarEmpires::seat_named(&sample::view(), name).map(Seat::number);
    assert_eq!(
        (seat("kratos"), seat("GU"), seat("the_culture"), seat("nobody")),
        (Some(2), Some(3), Some(1), None)
    );
}

#[test]
fn checks_cover_every_line() {
    let lines = [
        "MOVE Lion TO (0,1)",
        "BUILD Beta 2 probe",
        "MOVE Lyon TO (0,1)",
        "DESIGN Alpha frigate gunship 20 15 4 2 0",
        "DESIGN Beta dart missile 8 1",
    ]
    .map(str::to_owned);
    let checked = crate::checked(&sample::checks(), &lines).unwrap_or_default();
    assert_eq!((checked.accepted, checked.warned, checked.rejected.as_slice()), (2, 2, &[2][..]));
    insta::assert_snapshot!("checked", checked.text(&Style::PLAIN, false));
}

#[test]
fn turn_stories_list_classes_and_places() {
    let view = sample::view();
    let own = view.own().expect("the view of an empire");
    let (world, space) = (own.chart.worlds[0], Coord::new(60, -60));
    let news = |at, item| News { section: "6.3.3".parse().expect("a section"), at, item };
    let part = |at, owner: usize, number: u32, class: &str, deed| {
        let (serial, class) = (Serial::new(own.empires[owner].code, number), Name::new(class));
        let (class, name) = (class.expect("a name"), Name::NONE);
        let ship = ShipNamed { owner: Seat::at(owner), serial, name, class };
        news(Some(at), Item::Ship { ship, kind: deed, amount: None, permille: 500 })
    };
    let scouts = (1..=12).map(|number| part(world.at, 0, number, "scout", Deed::Built));
    let cruisers = (20..23).map(|number| part(space, 0, number, "cruiser", Deed::Hit));
    let mut all: Vec<_> = scouts.chain(cruisers).collect();
    let (from, to) = (Some(Seat::at(1)), Some(Seat::at(0)));
    all.extend([
        // A ship that is hit and then lost is listed once.
        part(space, 1, 1, "wing", Deed::Hit),
        part(space, 1, 1, "wing", Deed::Destroyed),
        // Moves are not part of the story.
        part(space, 1, 2, "wing", Deed::Arrived),
        news(None, Item::Owner { world: Name::new("Ember").expect("a name"), from, to }),
    ]);
    // These are more kinds of ships than a line lists.
    let kinds = (0..9).map(|kind| (100 + kind, format!("class{kind}")));
    all.extend(kinds.map(|(number, class)| part(space, 2, number, &class, Deed::Destroyed)));
    let report = Report { news: all, ..Default::default() };
    let event = Event::Reported { report: report.into(), change: Box::default() };
    let lines = StarEmpires::event_story(&view, &event).expect("a turn is told");
    assert_eq!(
        lines,
        [
            format!(
                "The_Culture: 12 scouts built at {}, 3 cruisers damaged at (60,-60), Ember taken \
                 from KRATOS.",
                world.name
            ),
            "KRATOS: 1 wing lost at (60,-60).".to_owned(),
            "Gulf: 1 class0 lost at (60,-60), 1 class1 lost at (60,-60), 1 class2 lost at \
             (60,-60), 1 class3 lost at (60,-60), 1 class4 lost at (60,-60), 1 class5 lost at \
             (60,-60), 3 other ships lost."
                .to_owned(),
        ]
    );
    assert_eq!(StarEmpires::event_story(&view, &Event::Updated { turn: 8 }), None);
}
