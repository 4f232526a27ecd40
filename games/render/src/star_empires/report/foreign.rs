//! Foreign ships, and grants of visibility.

use heliopause_star_empires::{
    Coord, FleetSeen, GrantSeen, Name, Ratings, ShipNamed, ShipSeen, percent,
};

use super::ReportContext;
use crate::document::{Block, Tone, Words};

pub(super) fn ships(context: &ReportContext<'_>) -> Vec<Block> {
    let chart = &context.own.chart;
    let others =
        chart.ships.iter().filter(|ship| !(Some(ship.owner) == context.atlas.seat && ship.wreck));
    let mut rows: Vec<(Coord, Vec<Words>)> =
        others.map(|ship| (ship.at, seen(context, ship))).collect();
    rows.extend(chart.fleets.iter().map(|fleet| (fleet.at, scanned(context, fleet))));
    rows.sort_by_key(|(at, _)| (at.distance(context.atlas.home), *at));
    let headings = "sector|owner|ship or class|serial|ships|tonnes|DP|state";
    Block::table(headings, rows.into_iter().map(|(_, row)| row).collect())
}

fn ratings(context: &ReportContext<'_>, name: Name) -> Option<Ratings> {
    context.own.classes.iter().find(|class| class.name == name).map(|class| class.ratings)
}

fn seen(context: &ReportContext<'_>, ship: &ShipSeen) -> Vec<Words> {
    let ShipSeen { at, owner, serial, name, class, .. } = *ship;
    let full = ratings(context, class).map_or(0, |ratings| ratings.dp);
    let dp = match ship.dp {
        None => "?".to_owned(),
        Some(dp) if full > 0 => format!("{dp}/{full}"),
        Some(dp) => dp.to_string(),
    };
    let state = if ship.wreck {
        Words::new("wreck", Tone::Bad)
    } else {
        Words::plain(format!("{} fit", percent(ship.permille)))
    };
    let [number, tonnage, dp] = ["1".to_owned(), ship.tonnage.to_string(), dp].map(Words::plain);
    let named = context.ship(ShipNamed { owner, serial, name, class });
    let serial = Words::new(serial.as_str(), Tone::Faint);
    vec![context.sector(at), context.empire(owner), named, serial, number, tonnage, dp, state]
}

fn scanned(context: &ReportContext<'_>, fleet: &FleetSeen) -> Vec<Words> {
    let (owner, class) = match fleet.identity {
        None => (Words::new("unidentified", Tone::Faint), String::new()),
        Some((seat, class)) => (context.empire(seat), class.to_string()),
    };
    let cells = [class, String::new(), fleet.count.to_string(), fleet.tonnage.to_string()];
    let [class, serial, number, tonnage] = cells.map(Words::plain);
    let state = Words::new("long range", Tone::Faint);
    vec![context.sector(fleet.at), owner, class, serial, number, tonnage, Words::default(), state]
}

pub(super) fn grants(context: &ReportContext<'_>) -> Vec<Block> {
    let item = |grant: &GrantSeen| {
        let mut parts = Vec::new();
        if grant.all {
            parts.push("everything".to_owned());
        }
        parts.extend(grant.sectors.iter().map(ToString::to_string));
        parts.extend(grant.ships.iter().map(|ship| format!("what {ship} sees")));
        parts.extend(grant.classes.iter().map(|class| format!("what every {class} sees")));
        context.empire(grant.to).and(format!(" may see {}", parts.join(", ")), Tone::Plain)
    };
    Block::list(context.own.status.grants.iter().map(item).collect())
}
