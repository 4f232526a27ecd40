//! The panels beside the map: powers, the viewer's strength, retreats, orders or results.

use heliopause_diplomacy::{
    Allowance, Conditional, Dislodged, Kind, Named, Order, Phase, Place, allowance, sites,
};
use heliopause_kernel::Seat;

use super::atlas::{Atlas, Power};
use super::recent_orders::DrawnOrder;
use super::{paths, standing};
use crate::scene::{
    SceneFigure, SceneOutcome, ScenePanel, SceneRow, figure, number, panel, states,
};
use crate::text::{count, listed};

pub(super) fn all(atlas: &Atlas) -> Vec<ScenePanel> {
    let own = atlas.own().filter(|seat| !atlas.table().eliminated.contains(*seat));
    let mut panels = vec![powers(atlas)];
    panels.extend(own.map(|seat| centers(atlas, seat)));
    let dislodged = &atlas.table().dislodged;
    if !dislodged.is_empty() {
        let columns = "unit | power | dislodged by | can go to";
        let rows = dislodged.iter().map(|one| retreat(atlas, one)).collect();
        panels.push(panel("retreats", "Retreats", columns, rows));
    }
    panels.extend(atlas.shown().map(|shown| orders(atlas, &shown)));
    panels
}

fn powers(atlas: &Atlas) -> ScenePanel {
    let in_space = if atlas.is_in_space() { " | #orbit | #colonies" } else { "" };
    let columns = format!("power | #centers | #armies | #fleets{in_space} | ");
    let is_out = |power: &&Power| atlas.table().eliminated.contains(power.seat);
    let (out, alive): (Vec<&Power>, Vec<&Power>) = atlas.powers.iter().partition(is_out);
    let rows = alive.into_iter().chain(out).map(|power| row(atlas, power)).collect();
    let options = &atlas.table().options;
    let mut note =
        format!("A power with {} centers, more than any other, wins.", options.victory_centers);
    if options.last_year > 0 {
        note = format!("{note} The fall of {} is the last.", options.last_year);
    }
    if options.stalemate_years > 0 {
        let (quiet, limit) = (atlas.table().quiet_years, options.stalemate_years);
        note = format!(
            "{note} Years without a change of center ownership: {quiet}. After {limit}, the \
             game is drawn."
        );
    }
    ScenePanel { note, ..panel("powers", "Powers", &columns, rows) }
}

fn row(atlas: &Atlas, power: &Power) -> SceneRow {
    let (table, seat) = (atlas.table(), power.seat);
    let position = &table.position;
    let (is_own, is_out) = (atlas.own() == Some(seat), table.eliminated.contains(seat));
    let units: Vec<_> = position.units_of(seat).collect();
    let armies = units.iter().filter(|unit| unit.kind == Kind::Army).count();
    let centers = position.centers_of(seat);
    let mut cells = vec![
        format!("{} {}", power.code, power.name),
        centers.len().to_string(),
        armies.to_string(),
        (units.len() - armies).to_string(),
    ];
    let mut pieces: Vec<String> = units.iter().map(ToString::to_string).collect();
    if atlas.is_in_space() {
        cells.push(position.orbit(seat).to_string());
        cells.push(position.colonies_of(seat).len().to_string());
        pieces.extend((position.orbit(seat) > 0).then(|| Named::ORBITING.to_string()));
    }
    cells.push(match (is_own, is_out, power.player.as_str()) {
        (true, _, "") => "you".to_owned(),
        (true, _, player) => format!("{player} (you)"),
        (false, true, _) => "out".to_owned(),
        (false, false, player) => player.to_owned(),
    });
    let is_due = !matches!(table.phase, Phase::SpringMovement | Phase::FallMovement);
    SceneRow {
        cells,
        places: centers.iter().map(|center| center.to_string()).collect(),
        pieces,
        seat: number(seat),
        states: states([(is_own, "own"), (is_due && table.owes(seat), "active"), (is_out, "out")]),
    }
}

/// Returns the viewer's strength and the adjustment that follows from it.
fn centers(atlas: &Atlas, seat: Seat) -> ScenePanel {
    let table = atlas.table();
    let position = &table.position;
    let armies = position.units_of(seat).filter(|unit| unit.kind == Kind::Army).count();
    let fleets = position.units_of(seat).count() - armies;
    let mut units = Vec::new();
    if armies > 0 {
        units.push(if armies == 1 { "1 army".to_owned() } else { format!("{armies} armies") });
    }
    if fleets > 0 {
        units.push(count(fleets, "fleet"));
    }
    if position.orbit(seat) > 0 {
        units.push(format!("{} in orbit", position.orbit(seat)));
    }
    let goal = format!("{} to win", table.options.victory_centers);
    let mut figures = vec![
        figure("centers", position.centers_of(seat).len(), &goal),
        figure("units", position.strength(seat), &listed(&units)),
    ];
    if atlas.is_in_space() {
        figures.push(figure("colonies", position.colonies_of(seat).len(), ""));
    }
    if table.ending.is_none() {
        figures.push(adjustment(atlas, seat));
    }
    let title = format!("Your power: {}", atlas.power(seat).name);
    ScenePanel { figures, ..panel("centers", &title, "", Vec::new()) }
}

fn adjustment(atlas: &Atlas, seat: Seat) -> SceneFigure {
    let position = &atlas.table().position;
    let is_winter = atlas.table().phase == Phase::Winter;
    let label = if is_winter { "this winter" } else { "next winter" };
    let builds = |builds: usize| {
        let sites: Vec<String> =
            sites(position, seat).iter().map(|site| site.to_string()).collect();
        let sites =
            if sites.is_empty() { "no free site".into() } else { format!("at {}", listed(&sites)) };
        (count(builds, "build"), sites)
    };
    let (value, note) = match allowance(position, seat) {
        Allowance::Builds(0) => ("no change".to_owned(), String::new()),
        Allowance::Builds(number) => builds(number),
        Allowance::Removals(number) => (count(number, "removal"), String::new()),
    };
    let note = match (is_winter, note.as_str()) {
        (true, _) => note,
        (false, "") => "if nothing changes".to_owned(),
        (false, _) => format!("{note}, if nothing changes"),
    };
    figure(label, value, &note)
}

fn retreat(atlas: &Atlas, one: &Dislodged) -> SceneRow {
    let to: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
    let by = &atlas.power(one.by).name;
    let from = one.from.map_or_else(|| "orbit".to_owned(), |from| from.to_string());
    let goes = if to.is_empty() { "nowhere: it is disbanded".to_owned() } else { to.join(", ") };
    SceneRow {
        cells: vec![
            one.unit.to_string(),
            atlas.power(one.unit.owner).name.clone(),
            format!("{by} from {from}"),
            goes,
        ],
        places: [vec![one.unit.at.to_string()], to].concat(),
        pieces: vec![one.unit.to_string()],
        seat: number(one.unit.owner),
        states: states([(atlas.own() == Some(one.unit.owner), "own")]),
    }
}

/// Returns the orders of this phase, or the latest results. The panel of results is folded, because
/// the map also shows results.
fn orders(atlas: &Atlas, shown: &str) -> ScenePanel {
    let is_open = atlas.has_orders();
    let mut drawn = atlas.drawn();
    drawn.sort_by_key(|one| atlas.own().is_some_and(|own| own != one.seat));
    let is_own = is_open && atlas.own().is_some();
    let mut rows: Vec<SceneRow> = drawn.iter().map(|one| order(atlas, one)).collect();
    if let (true, Some(seat)) = (is_own, atlas.own()) {
        rows.extend(standing::missing(atlas, seat).into_iter().map(|what| missing(atlas, what)));
        rows.extend(atlas.conditionals().iter().map(|order| conditional(atlas, order)));
    }
    let columns = if is_own { "unit | order" } else { "power | unit | order | result" };
    if is_own {
        for row in &mut rows {
            row.cells = row.cells[1..3].to_vec();
        }
    }
    let title: String = shown.chars().take(1).flat_map(char::to_uppercase).collect();
    let title = title + &shown[1..];
    ScenePanel { folded: !is_open, ..panel("orders", &title, columns, rows) }
}

fn order(atlas: &Atlas, drawn: &DrawnOrder) -> SceneRow {
    let site = drawn.order.site();
    let site = site.map(|site| Named { kind: site.kind, at: Place::Earth(site.at) });
    let unit = drawn.order.unit().or(site).map_or_else(|| "-".to_owned(), |it| it.to_string());
    let whole = drawn.order.to_string();
    let what = whole.replacen(&unit, "", 1);
    let what = if drawn.order == Order::Waive { whole } else { what.trim().to_owned() };
    let places = paths::ends(drawn.order).into_iter().flatten();
    SceneRow {
        cells: vec![atlas.power(drawn.seat).code.clone(), unit, what, drawn.told()],
        places: places.map(|place| place.to_string()).collect(),
        pieces: paths::piece(atlas, drawn).into_iter().collect(),
        seat: number(drawn.seat),
        states: states([
            (atlas.own() == Some(drawn.seat), "own"),
            (drawn.success == SceneOutcome::Success, "good"),
            (drawn.success == SceneOutcome::Failure, "bad"),
        ]),
    }
}

fn conditional(atlas: &Atlas, order: &Conditional) -> SceneRow {
    let (unit, what) = match order {
        Conditional::Dislodged { unit, .. } => {
            let unit = unit.to_string();
            let what = order.to_string().replacen(&format!("{unit} "), "", 1);
            (unit, what)
        }
        Conditional::Building { .. } | Conditional::Removing { .. } => {
            ("winter".to_owned(), order.to_string())
        }
    };
    SceneRow {
        cells: vec![String::new(), unit, what],
        seat: number(atlas.own()),
        states: vec!["own".to_owned()],
        ..SceneRow::default()
    }
}

/// Returns the row of a unit without an order, or of missing builds or removals.
fn missing(atlas: &Atlas, what: String) -> SceneRow {
    let unit = atlas.own().and_then(|own| heliopause_diplomacy::Unit::read(own, &what));
    let place = unit.map(|unit| Place::Earth(unit.at));
    let place = place.or_else(|| (what == Named::ORBITING.to_string()).then_some(Place::Orbit));
    SceneRow {
        places: place.iter().map(ToString::to_string).collect(),
        pieces: place.map(|_| what.clone()).into_iter().collect(),
        cells: vec![String::new(), what, "no order".to_owned()],
        seat: number(atlas.own()),
        states: vec!["own".to_owned(), "bad".to_owned()],
    }
}
