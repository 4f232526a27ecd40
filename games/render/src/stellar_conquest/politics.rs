//! The panel of the political situation in Alone in Outer Space, and the relevance of claimed
//! stars.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_stellar_conquest::outer_space::{Era, Incident, POWERS_MAX, Quarrel, WarKind};
use heliopause_stellar_conquest::{Politics, StarId};

use super::atlas::Atlas;
use super::words;
use crate::scene::{ScenePanel, SceneRow, figure, number, panel, row, states};
use crate::text::listed;

type Names<'a> = &'a dyn Fn(Seat) -> String;

/// Returns the panel of the political situation, with the relations of each power.
pub(super) fn listing(atlas: &Atlas) -> Option<ScenePanel> {
    let table = &atlas.view.table;
    let politics = table.campaign.politics()?;
    let names = |seat: Seat| atlas.name(seat).to_owned();
    let stars = |is: &dyn Fn(StarId) -> bool| -> Vec<String> {
        StarId::ALL.into_iter().filter(|star| is(*star)).map(|star| star.to_string()).collect()
    };
    let unclaimed = stars(&|star| politics.claimant(star).is_none()).len();
    let contested = stars(&|star| politics.is_contested(star));
    let mut figures = vec![figure("stage", stage(politics.era), "")];
    figures.push(figure("war", war(politics, &names), ""));
    let incidents = politics.incidents.iter();
    figures.extend(incidents.map(|incident| figure("incident", quarrel(incident, &names), "")));
    figures.push(figure("unclaimed stars", unclaimed, ""));
    if !contested.is_empty() {
        figures.push(figure("contested", listed(&contested), ""));
    }
    let powers = Seat::first(table.players);
    Some(ScenePanel {
        figures,
        ..panel(
            "politics",
            "Politics",
            "power | #stars | relations | your border stars",
            powers.map(|seat| power(politics, atlas, seat, &names)).collect(),
        )
    })
}

fn power(politics: &Politics, atlas: &Atlas, seat: Seat, names: Names<'_>) -> SceneRow {
    let is_out = politics.is_eliminated(seat);
    let enemies = politics.war.as_ref().map(|war| side(war.enemies_of(seat), names));
    let relations = match enemies.filter(|enemies| !enemies.is_empty()) {
        _ if is_out => "eliminated".to_owned(),
        Some(enemies) => format!("at war with {enemies}"),
        None if politics.is_in_incident(seat) => "in an incident".to_owned(),
        None => "neutral".to_owned(),
    };
    let border = border(politics, atlas, seat);
    SceneRow {
        seat: number(seat),
        states: states([(atlas.is_own(seat), "own"), (is_out, "out")]),
        places: border.clone(),
        ..row([
            names(seat),
            politics.claims_of(seat).count().to_string(),
            relations,
            border.join(", "),
        ])
    }
}

/// The relevance of a claimed star to the viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    Inner,
    /// The star is on the viewer's border with the claimant, or is the viewer's own on any border.
    /// Incidents happen at such stars.
    Border,
    /// The star is disputed, or fought over in the war.
    Contested,
}

pub(super) fn claim(atlas: &Atlas, star: StarId) -> Option<(Seat, Ground)> {
    let politics = atlas.view.table.campaign.politics()?;
    let claimant = politics.claimant(star)?;
    Some((claimant, ground(politics, atlas.own().map(|(seat, _)| seat), claimant, star)))
}

/// Returns the relevance of a claimed star (3.3, 9.2).
fn ground(politics: &Politics, viewer: Option<Seat>, claimant: Seat, star: StarId) -> Ground {
    let on_border = || match viewer {
        Some(own) if own != claimant => politics.is_on_border(star, own),
        Some(own) => others(politics, own).any(|other| politics.is_on_border(star, other)),
        // Without a viewer, almost every star would be on a border.
        None => false,
    };
    if politics.is_contested(star) {
        Ground::Contested
    } else if politics.era != Era::Expansion && on_border() {
        // Incidents can happen only after all stars are claimed.
        Ground::Border
    } else {
        Ground::Inner
    }
}

fn others(politics: &Politics, seat: Seat) -> impl Iterator<Item = Seat> {
    Seat::first(POWERS_MAX).filter(move |&other| other != seat && !politics.is_eliminated(other))
}

/// Returns the viewer's border stars towards a power, once incidents can happen (3.3).
fn border(politics: &Politics, atlas: &Atlas, towards: Seat) -> Vec<String> {
    let own = atlas.own().map(|(own, _)| own);
    let Some(own) = own.filter(|own| *own != towards && politics.era != Era::Expansion) else {
        return Vec::new();
    };
    let stars = politics.claims_of(own).filter(|&star| politics.is_on_border(star, towards));
    stars.map(|star| star.to_string()).collect()
}

const fn stage(era: Era) -> &'static str {
    match era {
        Era::Expansion => "I: expansion",
        Era::Growth => "II: growth",
        Era::Tension => "III: tension",
        Era::Empire => "IV: empire",
    }
}

fn side(seats: SeatSet, names: Names<'_>) -> String {
    seats.iter().map(names).collect::<Vec<String>>().join(", ")
}

fn war(politics: &Politics, names: Names<'_>) -> String {
    let Some(war) = &politics.war else { return "none".to_owned() };
    let kind = match war.kind {
        WarKind::Limited => "Limited war",
        WarKind::Total => "Total war",
    };
    let points =
        war.sides.map(|side| side.iter().map(|seat| war.success[seat.index()]).sum::<u32>());
    let truce = if war.truce { ", in a truce" } else { "" };
    let [one, other] = war.sides.map(|seats| side(seats, names));
    let [own, theirs] = points.map(words::halves);
    format!("{kind}{truce}: {one} ({own} for destruction) against {other} ({theirs})")
}

fn quarrel(incident: &Incident, names: Names<'_>) -> String {
    let [one, other] = incident.pair.map(names);
    match incident.quarrel {
        Quarrel::Clash { tension } => format!("{one} and {other} clash; the tension is {tension}"),
        Quarrel::Dispute { star } => format!("{one} claims {star} of {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_3_3_a_power_sees_its_own_borders_once_powers_can_fall_out() {
        let [ann, bob] = [0, 1].map(Seat::at);
        let stars = [("Alcor", ann), ("Mira", ann), ("Sadir", bob), ("Lupi", bob)];
        let of = |name: &str| name.parse::<StarId>().expect("there is such a star");
        let mut politics = Politics::default();
        for (name, seat) in stars {
            politics.claims[of(name).index()] = Some(seat);
        }
        let seen = |politics: &Politics, viewer| {
            stars.map(|(name, by)| ground(politics, viewer, by, of(name)))
        };
        assert_eq!(seen(&politics, Some(ann)), [Ground::Inner; 4]);
        politics.era = Era::Growth;
        let own = [Ground::Border, Ground::Inner, Ground::Border, Ground::Inner];
        assert_eq!(seen(&politics, Some(ann)), own);
        assert_eq!(seen(&politics, Some(bob)), own);
        assert_eq!(seen(&politics, None), [Ground::Inner; 4], "viewers without stars");
    }
}
