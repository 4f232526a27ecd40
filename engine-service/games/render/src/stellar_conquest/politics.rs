//! Alone in Outer Space: the political situation at a glance.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_stellar_conquest::outer_space::{Era, Incident, POWERS_MAX, Quarrel, WarKind};
use heliopause_stellar_conquest::{Politics, StarId};

use super::atlas::Atlas;
use super::words;

/// What people are called.
type Names<'a> = &'a dyn Fn(Seat) -> String;

/// A sentence on the stage, on the war, on every incident, on contested stars, and on how many
/// stars everybody claims. Nothing in games without politics.
pub(super) fn sentences(atlas: &Atlas) -> Vec<String> {
    let table = &atlas.view.table;
    let Some(politics) = table.campaign.politics() else { return Vec::new() };
    let names = |seat: Seat| atlas.name(seat).to_owned();
    let mut sentences = vec![format!("{}.", stage(politics.era)), war(politics, &names)];
    sentences.extend(politics.incidents.iter().map(|incident| quarrel(incident, &names)));
    let contested: Vec<String> = StarId::ALL
        .into_iter()
        .filter(|&star| politics.is_contested(star))
        .map(|star| star.to_string())
        .collect();
    if !contested.is_empty() {
        sentences.push(format!("Contested: {}.", words::row(&contested)));
    }
    sentences.extend(borders(politics, atlas, &names));
    sentences.push(claims(politics, table.players, &names));
    sentences
}

/// What a claimed star means to the viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// It lies behind others.
    Inner,
    /// It lies on the viewer's border with its claimant, or is the viewer's own and lies on one:
    /// there powers fall out.
    Border,
    /// It is disputed, or the war is fought over it.
    Contested,
}

/// Who claims a star, and what ground it is.
pub(super) fn claim(atlas: &Atlas, star: StarId) -> Option<(Seat, Ground)> {
    let politics = atlas.view.table.campaign.politics()?;
    let claimant = politics.claimant(star)?;
    Some((claimant, ground(politics, atlas.own().map(|(seat, _)| seat), claimant, star)))
}

/// 3.3, 9.2: what ground a claimed star is.
fn ground(politics: &Politics, viewer: Option<Seat>, claimant: Seat, star: StarId) -> Ground {
    let on_border = || match viewer {
        Some(own) if own != claimant => politics.is_on_border(star, own),
        Some(own) => others(politics, own).any(|other| politics.is_on_border(star, other)),
        // Between all powers most stars lie on some border.
        None => false,
    };
    if politics.is_contested(star) {
        Ground::Contested
    } else if politics.era != Era::Expansion && on_border() {
        // Nobody falls out before all stars are claimed.
        Ground::Border
    } else {
        Ground::Inner
    }
}

/// The powers that are left, but for one.
fn others(politics: &Politics, seat: Seat) -> impl Iterator<Item = Seat> {
    Seat::first(POWERS_MAX).filter(move |&other| other != seat && !politics.is_fallen(other))
}

/// 3.3: one's own border stars towards each other power, once powers can fall out.
fn borders(politics: &Politics, atlas: &Atlas, names: Names<'_>) -> Option<String> {
    let (own, _) = atlas.own().filter(|_| politics.era != Era::Expansion)?;
    let towards = |other: Seat| {
        let stars = politics.claims_of(own).filter(|&star| politics.is_on_border(star, other));
        let stars: Vec<String> = stars.map(|star| star.to_string()).collect();
        (!stars.is_empty()).then(|| format!("{} {}", names(other), stars.join(" ")))
    };
    let all: Vec<String> = others(politics, own).filter_map(towards).collect();
    (!all.is_empty()).then(|| format!("Your border stars towards {}.", all.join("; ")))
}

const fn stage(era: Era) -> &'static str {
    match era {
        Era::Expansion => "Stage I: expansion",
        Era::Growth => "Stage II: growth",
        Era::Tension => "Stage III: tension",
        Era::Empire => "Stage IV: empire",
    }
}

fn side(seats: SeatSet, names: Names<'_>) -> String {
    seats.iter().map(names).collect::<Vec<String>>().join(", ")
}

fn war(politics: &Politics, names: Names<'_>) -> String {
    let Some(war) = &politics.war else { return "Nobody is at war.".to_owned() };
    let kind = match war.kind {
        WarKind::Limited => "Limited war",
        WarKind::Total => "Total war",
    };
    let points =
        war.sides.map(|side| side.iter().map(|seat| war.success[seat.index()]).sum::<u32>());
    let truce = if war.truce { ", in a truce" } else { "" };
    let [one, other] = war.sides.map(|seats| side(seats, names));
    let [own, theirs] = points.map(words::halves);
    format!("{kind}{truce}: {one} ({own} for what was destroyed) against {other} ({theirs}).")
}

fn quarrel(incident: &Incident, names: Names<'_>) -> String {
    let [one, other] = incident.pair.map(names);
    match incident.quarrel {
        Quarrel::Clash { tension } => format!("{one} and {other} clash; the tension is {tension}."),
        Quarrel::Dispute { star } => format!("{one} claims {star} of {other}."),
    }
}

fn claims(politics: &Politics, players: usize, names: Names<'_>) -> String {
    let power = |seat: Seat| {
        let gone = if politics.is_fallen(seat) { " (no more)" } else { "" };
        format!("{}{gone} {}", names(seat), politics.claims_of(seat).count())
    };
    let open = StarId::ALL.into_iter().filter(|&star| politics.claimant(star).is_none()).count();
    let all: Vec<String> = Seat::first(players).map(power).collect();
    format!("Stars claimed: {}; unclaimed {open}.", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::Drawing as _;
    use crate::style::Style;
    use crate::svg::{Look, Palette, Theme};

    #[test]
    fn the_situation_stands_beside_the_map_and_contested_stars_stand_out() {
        let text = sample::map(&sample::space()).text(&Style { width: 200, ..Style::PLAIN });
        for told in [
            "Stage I: expansion.",
            "Limited war: Ann (1½ for what was destroyed) against Power 2 (4).",
            "Ann and Independents clash; the tension is 5.",
            "Contested: Alcor, Sadir and Hydrae.",
            "Stars claimed: Ann 2, Power 2 1, Independents 1; unclaimed 50.",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert!(text.contains("Sadir#!2") && text.contains("Mira#3"), "{text}");
        let svg = sample::map(&sample::space()).svg(&Look::default());
        let contested = super::super::symbols::contested(Palette::of(Theme::Dark)).to_string();
        assert_eq!(svg.matches(&contested).count(), 4, "three stars, and the legend");
        let fate = sample::map(&sample::fate(8, &serde_json::json!({ "movement": {} })));
        assert!(!fate.svg(&Look::default()).contains("contested"));
    }

    #[test]
    fn space_3_3_a_power_sees_its_own_borders_once_powers_can_fall_out() {
        let [ann, bob] = [0, 1].map(Seat::at);
        let stars = [("Alcor", ann), ("Mira", ann), ("Sadir", bob), ("Lupi", bob)];
        let of = |name| {
            StarId::ALL
                .into_iter()
                .find(|star| star.as_str() == name)
                .expect("there is such a star")
        };
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
        assert_eq!(
            seen(&politics, None),
            [Ground::Inner; 4],
            "whoever has no stars has no borders"
        );
    }

    #[test]
    fn the_report_tells_the_situation() {
        let report = sample::map(&sample::space()).report().expect("a record sheet");
        assert!(report.sections.iter().any(|section| section.title == "Politics"));
    }
}
