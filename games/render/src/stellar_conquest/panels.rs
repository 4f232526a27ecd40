//! The panels beside the board.

use heliopause_kernel::{Game as _, Seat};
use heliopause_stellar_conquest::{Stage, StarId, StellarConquest, TURNS};

use super::atlas::Atlas;
use super::listing::{Listing, row};
use super::{campaign, economy, holdings, politics};
use crate::scene::{ScenePanel, SceneRow, figure, number, states};

pub(super) fn all(atlas: &Atlas) -> Vec<ScenePanel> {
    let own = atlas.own().map(|(_, power)| power);
    let mut listings = vec![players(atlas)];
    match own {
        Some(power) => listings.push(economy::treasury(atlas, power)),
        None => listings.push(clock(atlas)),
    }
    listings.extend(politics::listing(atlas));
    if let Some((fate, power)) = atlas.view.table.campaign.fate().zip(own) {
        listings.push(campaign::score(fate, power));
        listings.push(campaign::sectors(power));
        listings.push(campaign::found(fate, power));
    } else if let Some(power) = own {
        listings.push(holdings::victory(atlas, power));
    }
    if let Some(power) = own {
        listings.push(holdings::colonies(atlas, power));
        listings.push(holdings::ships(atlas, power));
    }
    listings.push(holdings::others(atlas));
    if let Some(power) = own {
        listings.push(economy::technology(atlas, power));
        listings.push(holdings::surveyed(atlas, power));
    }
    listings.push(economy::prices(atlas));
    listings.into_iter().filter_map(Listing::panel).collect()
}

fn players(atlas: &Atlas) -> Listing {
    let table = &atlas.view.table;
    let rows = Seat::first(table.seats()).map(|seat| player(atlas, seat)).collect();
    let columns: &[(&str, bool)] = if table.campaign.politics().is_some() {
        &[
            ("player", false),
            ("groups", true),
            ("posts", true),
            ("colonies known", true),
            ("entry", false),
            ("stars claimed", true),
        ]
    } else {
        &[
            ("player", false),
            ("groups", true),
            ("posts", true),
            ("colonies known", true),
            ("entry", false),
        ]
    };
    let note = "groups of ships on the board, command posts".into();
    Listing { key: "players", title: "Players", columns, rows, note, ..Listing::default() }
}

fn player(atlas: &Atlas, seat: Seat) -> SceneRow {
    let table = &atlas.view.table;
    let you = if atlas.is_own(seat) { " (you)" } else { "" };
    let groups: u32 = table.groups[seat.index()].iter().map(|(_, groups)| u32::from(groups)).sum();
    let posts: Vec<StarId> = table.posts_of(seat).collect();
    let contents = atlas.hex_contents.values().flat_map(|content| &content.colonies);
    let colonies = contents.filter(|colony| colony.seat == seat).count();
    let entry = table.entry(seat).map(|at| at.to_string());
    let mut places: Vec<String> = entry.iter().cloned().collect();
    places.extend(posts.iter().map(ToString::to_string));
    let mut cells = vec![
        format!("{}{you}", atlas.name(seat)),
        groups.to_string(),
        posts.len().to_string(),
        colonies.to_string(),
        entry.unwrap_or_default(),
    ];
    let politics = table.campaign.politics();
    cells.extend(politics.map(|politics| politics.claims_of(seat).count().to_string()));
    let is_out = politics.is_some_and(|politics| politics.is_eliminated(seat));
    let is_simultaneous = table.stage.is_simultaneous() || table.stage == Stage::Over;
    SceneRow {
        cells,
        places,
        seat: number(seat),
        states: states([
            (atlas.is_own(seat), "own"),
            (table.active == seat && !is_simultaneous, "active"),
            (is_out, "out"),
        ]),
        ..SceneRow::default()
    }
}

/// Returns the panel of the turn and the goals, for viewers without a seat.
fn clock(atlas: &Atlas) -> Listing {
    let table = &atlas.view.table;
    let next = atlas.next_production().map(|turn| format!("after turn {turn}"));
    let mut figures = vec![figure("turn", format!("{} of {TURNS}", table.turn), "")];
    figures.extend(next.map(|next| figure("next production", next, "")));
    let goals = StellarConquest::goals(&atlas.view).into_iter();
    let rows = goals.filter_map(|goal| {
        let seat = goal.seat?;
        let cells = [atlas.name(seat).to_owned(), goal.value.to_string()];
        Some(SceneRow { seat: number(seat), ..row(cells) })
    });
    Listing {
        key: "goals",
        title: "Goals",
        figures,
        columns: &[("player", false), ("victory points", true)],
        rows: rows.collect(),
        ..Listing::default()
    }
}
