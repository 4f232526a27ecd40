//! What stands beside the map in the picture: players, ships, colonies, legend.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{Colour, Stage};

use super::atlas::Atlas;
use super::picture::{BORDER, CONTESTED, PANEL, flag, to_f64};
use super::{palette, politics, words};
use crate::svg::Picture;
use crate::text;

/// The ring of a claim in the legend.
const CLAIM: &str = r##"fill="none" stroke="#4fd1e8" stroke-width="2""##;

/// How many rows of ships the panel has room for.
const ROWS_MAX: usize = 15;

pub(super) fn draw(picture: &mut Picture, atlas: &Atlas) {
    let mut y = players(picture, atlas);
    y = situation(picture, y, atlas);
    y = list(picture, y, "Your ships", &own_ships(atlas));
    list(picture, y, "Others' ships", &other_ships(atlas));
    legend(picture, atlas);
}

fn heading(picture: &mut Picture, y: f64, text: &str) {
    picture.text(PANEL, y, r##"font-size="16" font-weight="bold" fill="#f2f4ff""##, text);
}

fn line(picture: &mut Picture, y: f64, color: &str, text: &str) {
    picture.text(PANEL, y, &format!(r#"font-size="12" fill="{color}""#), text);
}

fn players(picture: &mut Picture, atlas: &Atlas) -> f64 {
    let table = &atlas.view.table;
    let mut y = 100.0;
    heading(picture, y, "Players");
    for seat in Seat::first(table.seats()) {
        y += 20.0;
        let turn = if table.active == seat && table.stage != Stage::Over { "▶ " } else { "" };
        let own = if atlas.is_own(seat) { " (you)" } else { "" };
        let color = palette::seat_color(table, seat);
        let style = format!(r#"font-size="13.5" font-weight="bold" fill="{color}""#);
        picture.text(PANEL, y, &style, &format!("{turn}{}{own}", atlas.name(seat)));
    }
    y + 34.0
}

/// The political situation, where there is one.
fn situation(picture: &mut Picture, top: f64, atlas: &Atlas) -> f64 {
    let sentences = politics::sentences(atlas);
    let lines: Vec<String> = sentences
        .iter()
        .flat_map(|text| text::wrap(text, 58, 2).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    list(
        picture,
        top,
        "Politics",
        &lines.into_iter().map(|line| (line, "#dfe4f7")).collect::<Vec<_>>(),
    )
}

fn list(picture: &mut Picture, top: f64, title: &str, rows: &[(String, &'static str)]) -> f64 {
    if rows.is_empty() {
        return top;
    }
    heading(picture, top, title);
    let mut y = top;
    for (row, color) in rows.iter().take(ROWS_MAX) {
        y += 16.0;
        line(picture, y, color, row);
    }
    if rows.len() > ROWS_MAX {
        y += 16.0;
        line(picture, y, "#8b95bd", &format!("and {} more", rows.len() - ROWS_MAX));
    }
    y + 32.0
}

fn own_ships(atlas: &Atlas) -> Vec<(String, &'static str)> {
    let mut rows = Vec::new();
    let table = &atlas.view.table;
    for (at, sight) in &atlas.sights {
        for group in sight.groups.iter().filter(|group| atlas.is_own(group.seat)) {
            let bound: Vec<String> = group.bound.iter().map(|(star, _)| star.to_string()).collect();
            let bound = if bound.is_empty() {
                String::new()
            } else {
                format!(" to {}", words::row(&bound))
            };
            let fleet = group.fleet.map_or_else(String::new, words::fleet);
            rows.push((
                format!("{}: {fleet}{bound}", words::place(*at)),
                palette::seat_color(table, group.seat),
            ));
        }
    }
    rows
}

fn other_ships(atlas: &Atlas) -> Vec<(String, &'static str)> {
    let mut rows = Vec::new();
    let table = &atlas.view.table;
    for (at, sight) in &atlas.sights {
        for group in sight.groups.iter().filter(|group| !atlas.is_own(group.seat)) {
            let what = group.fleet.map_or_else(|| "unknown".to_owned(), words::fleet);
            let age = if group.age > 0 {
                format!(", seen {}", words::age(group.age))
            } else {
                String::new()
            };
            rows.push((
                format!("{}: {what}{age}", words::place(*at)),
                palette::seat_color(table, group.seat),
            ));
        }
    }
    rows
}

fn legend(picture: &mut Picture, atlas: &Atlas) {
    let politics = atlas.view.table.campaign.politics().is_some();
    let top = if politics { 778.0 } else { 800.0 };
    heading(picture, top, "Legend");
    let entry = |picture: &mut Picture, x: f64, y: f64, what: &str| {
        picture.text(x, y, r##"font-size="12" fill="#b9c2e0""##, what);
    };
    for (nth, colour) in Colour::ALL.into_iter().enumerate() {
        let (x, y) = (PANEL + 8.0 + 72.0 * to_f64(nth), top + 22.0);
        picture.circle(x, y - 4.0, 9.0, &format!(r#"fill="url(#{})""#, colour.as_str()));
        entry(picture, x + 13.0, y, colour.as_str());
    }
    let (right, row) = (PANEL + 190.0, |nth: usize| top + 46.0 + 22.0 * to_f64(nth));
    picture.circle(PANEL + 8.0, row(0) - 4.0, 4.6, r##"fill="#ffffff""##);
    entry(picture, PANEL + 22.0, row(0), "explored");
    picture.circle(
        PANEL + 8.0,
        row(1) - 4.0,
        5.0,
        r##"fill="#0e1222" stroke="#ffe873" stroke-width="1.6""##,
    );
    entry(picture, PANEL + 22.0, row(1), "unexplored");
    picture.circle(PANEL + 8.0, row(2) - 4.0, 8.5, r##"fill="#4fd1e8""##);
    entry(picture, PANEL + 22.0, row(2), "colony, its millions");
    picture.circle(PANEL + 8.0, row(3) - 4.0, 8.5, r##"fill="#f5d547""##);
    picture.circle(
        PANEL + 8.0,
        row(3) - 4.0,
        10.0,
        r##"fill="none" stroke="#4fd1e8" stroke-width="2""##,
    );
    entry(picture, PANEL + 22.0, row(3), "held by conquest");
    flag(picture, PANEL + 14.0, row(4) - 4.0, "#4fd1e8");
    entry(picture, PANEL + 22.0, row(4), "command post");
    picture.polygon(
        &[(right, row(0)), (right + 9.0, row(0)), (right + 4.5, row(0) - 9.0)],
        r##"fill="#4fd1e8""##,
    );
    entry(picture, right + 16.0, row(0), "your ships");
    picture.polygon(
        &[(right, row(1) - 9.0), (right + 9.0, row(1) - 9.0), (right + 4.5, row(1))],
        r##"fill="#f5d547""##,
    );
    entry(picture, right + 16.0, row(1), "others; ~2: 2 turns ago");
    picture.raw(&format!(
        r##"<path d="M{right:.1} {0:.1}H{1:.1}" stroke="#4fd1e8" stroke-width="1.6" stroke-dasharray="5 4"/>"##,
        row(2) - 4.0,
        right + 14.0
    ));
    entry(picture, right + 20.0, row(2), "bound for a star");
    let square = |picture: &mut Picture, y: f64, fill: &str| {
        picture.raw(&format!(
            r#"<rect x="{right:.1}" y="{:.1}" width="12" height="11" fill="{fill}"/>"#,
            y - 9.0
        ));
    };
    square(picture, row(3), "url(#gas)");
    entry(picture, right + 16.0, row(3), "gas and dust cloud");
    square(picture, row(4), "#1c2647");
    entry(picture, right + 16.0, row(4), "in command range");
    if politics {
        picture.circle(PANEL + 8.0, row(5) - 4.0, 6.0, CLAIM);
        entry(picture, PANEL + 22.0, row(5), "claimed");
        picture.circle(right + 6.0, row(5) - 4.0, 6.5, BORDER);
        entry(picture, right + 18.0, row(5), "border");
        picture.circle(right + 76.0, row(5) - 4.0, 6.5, CONTESTED);
        entry(picture, right + 88.0, row(5), "contested");
    }
    let note = "T terran, ST sub-terran, MT minimal terran, B barren; * mineral-rich";
    let lines = text::wrap(note, 64, 0);
    for (nth, text) in lines.lines().enumerate() {
        entry(picture, PANEL, row(5 + usize::from(politics)) + 15.0 * to_f64(nth), text);
    }
}
