//! The battles by sector, with shots, hits and losses, and the last scans of lost ships.

use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_star_empires::{
    Chart, Coord, Deed, Item, News, Picture, Serial, ShipNamed, ShipSeen, StormSeen, percent,
};

use super::{ReportContext, joined};
use crate::document::{Block, Tone, Words};
use crate::text::count;

#[derive(Clone, Debug)]
struct Part {
    ship: ShipNamed,
    fired: Option<u32>,
    damage: Option<u32>,
    was_hit: bool,
    repaired: u32,
    permille: u16,
    end: Option<&'static str>,
}

type Parts = BTreeMap<(Seat, Serial), Part>;

/// Returns whether a deed is part of a battle. Automatic repairs also occur in peace.
fn is_fight(deed: Deed) -> bool {
    matches!(
        deed,
        Deed::Fired | Deed::Hit | Deed::Collateral | Deed::Destroyed | Deed::SelfDestructed
    )
}

fn deed(news: &News) -> Option<Deed> {
    if let Item::Ship { kind: deed, .. } = news.item { Some(deed) } else { None }
}

pub(super) fn section(context: &ReportContext<'_>) -> Vec<Block> {
    let mut sectors: BTreeMap<Coord, Parts> = BTreeMap::new();
    for news in &context.report.news {
        let (Some(at), Item::Ship { ship, kind: deed, amount, permille }) = (news.at, news.item)
        else {
            continue;
        };
        if is_fight(deed) || deed == Deed::AutoRepaired {
            let part = sectors.entry(at).or_default().entry((ship.owner, ship.serial));
            part.or_insert_with(|| Part::new(ship)).note(deed, amount, permille);
        }
    }
    // A ship that only repaired itself was not in a battle.
    sectors.retain(|_, parts| {
        parts.values().any(|part| part.fired.is_some() || part.was_hit || part.end.is_some())
    });
    let battles = sectors.iter().flat_map(|(at, parts)| battle(context, *at, parts));
    let scans = context.report.last_scans.iter();
    battles.chain(scans.flat_map(|picture| last_sight(context, picture))).collect()
}

/// Returns whether a news item is part of a battle.
pub(super) fn tells(context: &ReportContext<'_>, news: &News) -> bool {
    let is_fought_over = |at| {
        context.report.news.iter().any(|other| other.at == at && deed(other).is_some_and(is_fight))
    };
    deed(news).is_some_and(|deed| {
        is_fight(deed) || (deed == Deed::AutoRepaired && is_fought_over(news.at))
    })
}

impl Part {
    fn new(ship: ShipNamed) -> Self {
        let (fired, damage, was_hit, repaired) = (None, None, false, 0);
        Self { ship, fired, damage, was_hit, repaired, permille: 0, end: None }
    }

    fn note(&mut self, deed: Deed, amount: Option<u32>, permille: u16) {
        self.permille = permille;
        if deed == Deed::Fired {
            self.fired = Some(self.fired.unwrap_or_default() + amount.unwrap_or_default());
        } else if matches!(deed, Deed::Hit | Deed::Collateral) {
            self.was_hit = true;
            self.damage =
                amount.map(|amount| amount + self.damage.unwrap_or_default()).or(self.damage);
        } else if deed == Deed::Destroyed {
            self.end = Some("destroyed");
        } else if deed == Deed::SelfDestructed {
            self.end = Some("self-destructed");
        } else if deed == Deed::AutoRepaired {
            self.repaired += amount.unwrap_or_default();
        }
    }

    fn row(&self, context: &ReportContext<'_>) -> Vec<Words> {
        let number =
            |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
        let damage = if self.was_hit && self.damage.is_none() {
            "hit".to_owned()
        } else {
            number(self.damage)
        };
        let repaired =
            if self.repaired == 0 { String::new() } else { format!("+{}", self.repaired) };
        let end = match self.end {
            Some(end) => Words::new(end, Tone::Bad),
            None => Words::plain(format!("{} fit", percent(self.permille))),
        };
        let cells = [number(self.fired), damage, repaired].map(Words::plain);
        let [fired, damage, repaired] = cells;
        vec![context.ship(self.ship), fired, damage, repaired, end]
    }
}

fn battle(context: &ReportContext<'_>, at: Coord, parts: &Parts) -> Vec<Block> {
    let mut sides: BTreeMap<Seat, (usize, usize, u32)> = BTreeMap::new();
    for part in parts.values() {
        let side = sides.entry(part.ship.owner).or_default();
        side.0 += 1;
        side.1 += usize::from(part.end.is_some());
        side.2 += part.fired.unwrap_or_default();
    }
    let side = |(seat, (ships, lost, fired)): (&Seat, &(usize, usize, u32))| {
        let told = format!(": {}, {fired} guns fired, {lost} lost", count(*ships, "ship"));
        context.empire(*seat).and(told, Tone::Plain)
    };
    let rows = parts.values().map(|part| part.row(context)).collect();
    let mut blocks = vec![
        Block::Heading(context.sector(at)),
        Block::Text(joined(Words::default(), sides.iter().map(side), "; ")),
    ];
    blocks.extend(Block::table("ship|guns fired|damage|repaired|afterwards", rows));
    blocks
}

fn last_sight(context: &ReportContext<'_>, picture: &Picture) -> Vec<Block> {
    let seen = &picture.seen;
    let Some(at) = anywhere(seen) else { return Vec::new() };
    let mut items = Vec::new();
    for world in &seen.worlds {
        let told = format!("{}, {} RU a turn, owner: ", world.name, world.production);
        items.push(Words::plain(told).with(context.owner(world.owner)));
    }
    items.extend(seen.portals.iter().map(|portal| Words::plain(format!("portal {}", portal.name))));
    let storm = |storm: &StormSeen| format!("{}, storm of {}", storm.name, storm.rating);
    items.extend(seen.storms.iter().map(storm).map(Words::plain));
    for ship in &seen.ships {
        let ShipSeen { owner, serial, name, class, wreck, permille, .. } = *ship;
        let fit = format!(" {} fit", percent(permille));
        let (state, tone) =
            if wreck { (" lost".to_owned(), Tone::Bad) } else { (fit, Tone::Plain) };
        let named = ShipNamed { owner, serial, name, class };
        items.push(context.ship(named).and(state, tone));
    }
    let heading = Words::plain("Last scan of ")
        .with(context.sector(at))
        .and(format!(", in {}", picture.section), Tone::Faint);
    vec![Block::Heading(heading), Block::List(items)]
}

fn anywhere(seen: &Chart) -> Option<Coord> {
    let sectors = seen.sectors.iter().map(|row| row.at);
    let ships = seen.ships.iter().map(|row| row.at);
    let worlds = seen.worlds.iter().map(|row| row.at);
    sectors.chain(ships).chain(worlds).next()
}
