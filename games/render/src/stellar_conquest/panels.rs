//! The panels beside the board.

use heliopause_kernel::{Game as _, Seat};
use heliopause_stellar_conquest::{Stage, StarId, StellarConquest, TURNS};

use super::atlas::Atlas;
use super::{campaign, economy, holdings, politics};
use crate::scene::{ScenePanel, SceneRow, figure, number, panel, row, states};

pub(super) fn all(atlas: &Atlas) -> Vec<ScenePanel> {
    let own = atlas.own().map(|(_, power)| power);
    let mut panels = vec![players(atlas)];
    match own {
        Some(power) => panels.push(economy::treasury(atlas, power)),
        None => panels.push(clock(atlas)),
    }
    panels.extend(politics::listing(atlas));
    if let Some((fate, power)) = atlas.view.table.campaign.fate().zip(own) {
        panels.push(campaign::score(fate, power));
        panels.push(campaign::sectors(power));
        panels.push(campaign::found(fate, power));
    } else if let Some(power) = own {
        panels.push(holdings::victory(atlas, power));
    }
    if let Some(power) = own {
        panels.push(holdings::colonies(atlas, power));
        panels.push(holdings::ships(atlas, power));
    }
    panels.push(holdings::others(atlas));
    if let Some(power) = own {
        panels.push(economy::technology(atlas, power));
        panels.push(holdings::surveyed(atlas, power));
    }
    panels.push(economy::prices(atlas));
    panels.retain(|panel| !panel.figures.is_empty() || !panel.rows.is_empty());
    panels
}

fn players(atlas: &Atlas) -> ScenePanel {
    let table = &atlas.view.table;
    let rows = Seat::first(table.seats()).map(|seat| player(atlas, seat)).collect();
    let claims = table.campaign.politics().map_or("", |_| " | #stars claimed");
    let columns = format!("player | #groups | #posts | #colonies known | entry{claims}");
    let note = "groups of ships on the board, command posts".into();
    ScenePanel { note, ..panel("players", "Players", &columns, rows) }
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
fn clock(atlas: &Atlas) -> ScenePanel {
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
    ScenePanel { figures, ..panel("goals", "Goals", "player | #victory points", rows.collect()) }
}
