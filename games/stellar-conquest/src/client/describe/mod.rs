//! Event descriptions for players.

mod battle;
mod fate;
mod politics;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use heliopause_kernel::Seat;

use crate::client::describe::words::{Description, Names, count, row, say, ships_of};
use crate::state::{
    CampaignStage, Change, Colony, ColonyEvent, ColonySeen, Ending, Event, Glimpse, Grade,
    Grouping, OwnEvent, Post, Sheet, Ship, Sighting, Stage, TableEvent,
};
use crate::tables::{CardId, Fleet};

pub(crate) fn describe(event: &Event, names: Names<'_>) -> Description {
    match event {
        Event::Table(event) => public(event, names),
        Event::Own(event) => own(event, names),
        Event::Colony(ColonyEvent::ColonyChanged { owner, colony, change }) => {
            changed(&names(*owner), colony, *change, names)
        }
        Event::Colony(ColonyEvent::ColonyGone { owner, planet, gone }) => {
            say!(&format!("ColonyGone.{gone:?}"), who = names(*owner), planet)
        }
        Event::Battle(event) => battle::describe(event, names),
        Event::GlimpseKept { seat, number, sighting } => {
            say!("GlimpseKept", number, who = names(*seat), fleet = sighting.fleet)
        }
        Event::Fate(event) => fate::describe(event),
        Event::Politics(event) => politics::describe(event, names),
    }
}

fn public(event: &TableEvent, names: Names<'_>) -> Description {
    use TableEvent::{
        ColonyShown, Ended, Grouped, Passed, PostChanged, Seated, StageChanged, TurnBegan,
    };

    match event {
        Seated { order, entries } => {
            let seats = order.iter().map(|&seat| {
                let entry = entries
                    .get(seat.index())
                    .map_or_else(String::new, |at| format!(" (entering at {at})"));
                format!("{}{entry}", names(seat))
            });
            say!("Seated", order = row(&seats.collect::<Vec<String>>()))
        }
        TurnBegan { turn, seat } => say!("TurnBegan", turn, who = names(*seat)),
        StageChanged { stage: Stage::Campaign(CampaignStage::Recall { .. }) } => {
            say!("StageChanged.Recall")
        }
        StageChanged { stage: Stage::Campaign(CampaignStage::Place { .. }) } => {
            say!("StageChanged.Place")
        }
        StageChanged { stage } => say!(&format!("StageChanged.{stage:?}")),
        Ended { ending } => ended(ending, names),
        Grouped { groups: Grouping { seat, at, groups: 0 } } => {
            say!("Grouped.None", who = names(*seat), at)
        }
        Grouped { groups: Grouping { seat, at, groups } } => {
            let groups = count(usize::from(*groups), "group", "groups");
            say!("Grouped", who = names(*seat), at, groups)
        }
        Passed { seat, path } => {
            let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
            say!("Passed", who = names(*seat), hexes = hexes.join(" "))
        }
        PostChanged { post: Post { seat, star }, up } => {
            let key = if *up { "PostChanged.Up" } else { "PostChanged.Down" };
            say!(key, who = names(*seat), star)
        }
        ColonyShown { colony: Post { seat, star } } => {
            say!("ColonyShown", who = names(*seat), star)
        }
    }
}

fn ended(ending: &Ending, names: Names<'_>) -> Description {
    let points = ending.points.iter().enumerate().map(|(index, points)| {
        let seat = if index < Seat::MAX { names(Seat::at(index)) } else { String::new() };
        format!("{seat} {points}")
    });
    let points = row(&points.collect::<Vec<String>>());
    let winners: Vec<String> = ending.winners.iter().map(names).collect();
    match ending.grade {
        Some(Grade::Fate(level)) => say!("Ended.Campaign", level, points),
        None if winners.is_empty() => say!("Ended.Nobody", points),
        None => say!("Ended", winners = row(&winners), points),
    }
}

fn planets(card: CardId) -> String {
    let planets = card.planets().iter().map(|planet| {
        let rich = if planet.mineral_rich { ", mineral-rich" } else { "" };
        format!("{} for {}M{rich}", planet.kind, planet.capacity)
    });
    let planets: Vec<String> = planets.collect();
    if planets.is_empty() { "no planets".to_owned() } else { row(&planets) }
}

fn survey(nth: usize, seen: &ColonySeen, names: Names<'_>) -> String {
    let shield = if seen.shield { " under a shield" } else { "" };
    let held = seen.conqueror.map_or_else(String::new, |by| format!(" held by {}", names(by)));
    let people = seen.people.map_or_else(String::new, |people| {
        let factories = count(people.factories as usize, "factory", "factories");
        format!(", {}M people and {factories},", people.millions)
    });
    format!("a colony of {}{held}{people}{shield} on planet {}", names(seen.owner), nth + 1)
}

fn changed(who: &str, colony: &Colony, change: Change, names: Names<'_>) -> Description {
    let key = if change == Change::Siege && colony.is_besieged() {
        "ColonyChanged.Besieged".to_owned()
    } else {
        format!("ColonyChanged.{change:?}")
    };
    let (people, subjects) = (colony.population, colony.subjects);
    // On a dominion, the subjects work and the garrison guards them (fate 8.6).
    let workers =
        if subjects == 0 { format!("{people}M people") } else { format!("{subjects}M subjects") };
    say!(
        &key,
        who,
        people,
        subjects,
        workers,
        planet = colony.planet,
        holder = colony.conqueror().map_or_else(|| "nobody".to_owned(), names),
        inhabitants = people.saturating_add(subjects),
        grown = colony.grown,
        left = colony.factories,
        factories = count(colony.factories as usize, "factory", "factories"),
        bases = count(colony.bases.total() as usize, "base", "bases"),
    )
}

fn own(event: &OwnEvent, names: Names<'_>) -> Description {
    use OwnEvent::{
        AgendaSet, Engaged, Explored, Formed, GlimpseEnded, Glimpsed, GrantChanged, LandingBegan,
        PeopleKilled, Repelled, Researched, RiskRolled, SheetStored, ShipsCame, ShipsLost,
        ShipsMoved, Sighted, StandingChanged, Surveyed,
    };

    let who = names(event.seat());
    match event {
        AgendaSet { titles, .. } => {
            let titles: Vec<String> = titles.iter().map(ToString::to_string).collect();
            let key = if titles.is_empty() { "AgendaSet.None" } else { "AgendaSet" };
            say!(key, who, titles = row(&titles))
        }
        ShipsCame { ships, source, .. } => {
            let fleet: Fleet = ships.iter().map(Ship::kind).collect();
            say!(&format!("ShipsCame.{source:?}"), who, fleet)
        }
        ShipsMoved { ships, to, destination, halted, .. } => {
            let bound = destination.map_or_else(String::new, |star| format!(", bound for {star}"));
            let stop = if *halted { ", and must stop" } else { "" };
            say!("ShipsMoved", who, ships = ships_of(ships), to, bound, stop)
        }
        Formed { ships, marker: Some(marker), .. } => {
            say!("Formed", who, ships = ships_of(ships), number = marker.number())
        }
        Formed { ships, marker: None, .. } => say!("Formed.Loose", who, ships = ships_of(ships)),
        ShipsLost { ships, cause, .. } => {
            say!(&format!("ShipsLost.{cause:?}"), who, ships = ships_of(ships))
        }
        Engaged { ships, .. } => say!("Engaged", who, ships = ships_of(ships)),
        RiskRolled { star, rolls, .. } => {
            let dice: Vec<String> = rolls.iter().map(|roll| roll.die.to_string()).collect();
            let dead = match rolls.iter().filter(|roll| roll.die == 1).count() {
                0 => "no ship is".to_owned(),
                dead => count(dead, "ship is", "ships are"),
            };
            say!("RiskRolled", who, star, dice = dice.join(" "), dead)
        }
        Explored { star, card, .. } => say!("Explored", who, star, planets = planets(*card)),
        Surveyed { star, colonies, .. } => {
            let seen = colonies.iter().enumerate().filter_map(|(nth, seen)| Some((nth, (*seen)?)));
            let seen: Vec<String> = seen.map(|(nth, seen)| survey(nth, &seen, names)).collect();
            let key = if seen.is_empty() { "Surveyed.None" } else { "Surveyed" };
            say!(key, who, star, seen = row(&seen))
        }
        Sighted { sighting: Sighting { at, of, fleet, .. }, .. } => {
            let key = if fleet.is_empty() { "Sighted.None" } else { "Sighted" };
            say!(key, who, of = names(*of), at, fleet)
        }
        Glimpsed { glimpse: Glimpse { number, star, of, .. }, .. } => {
            say!("Glimpsed", who, of = names(*of), star, number)
        }
        GlimpseEnded { number, .. } => say!("GlimpseEnded", number, who),
        PeopleKilled { killed, .. } => {
            say!("PeopleKilled", who, millions = killed.millions, star = killed.star)
        }
        LandingBegan { .. } => say!("LandingBegan", who),
        Researched { acquired, .. } => {
            let techs: Vec<String> = acquired.iter().map(|tech| tech.to_string()).collect();
            let key = if techs.is_empty() { "Researched.None" } else { "Researched" };
            say!(key, who, techs = row(&techs))
        }
        GrantChanged { points, .. } => say!("GrantChanged", who, points),
        StandingChanged { .. } => say!("StandingChanged", who),
        SheetStored { sheet: Sheet::None, .. } => say!("SheetStored.None", who),
        SheetStored { sheet: Sheet::Outfit(_), .. } => say!("SheetStored.Outfit", who),
        SheetStored { sheet: Sheet::Production(_), .. } => say!("SheetStored.Production", who),
        SheetStored { sheet: Sheet::Decree(_), .. } => say!("SheetStored.Decree", who),
        Repelled { planet, rounds: 0 | 1, .. } => say!("Repelled.Resumed", planet),
        Repelled { planet, .. } => say!("Repelled", planet),
    }
}
