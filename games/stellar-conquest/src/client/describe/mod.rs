//! Event descriptions for players.

mod battle;
mod fate;
mod politics;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use heliopause_kernel::Seat;

use crate::client::describe::words::{Description, Names, count, row, ships_of};
use crate::state::{
    CampaignStage, Cause, Change, Colony, ColonyEvent, ColonySeen, Ending, Event, Gone, Grade,
    Grouping, Killed, OwnEvent, Post, Sheet, Ship, ShipNumber, Sighting, Source, Stage, TableEvent,
};
use crate::tables::{CardId, Fleet, PlanetId, Tech, TechSet};

pub(crate) fn describe(event: &Event, names: Names<'_>) -> Description {
    match event {
        Event::Table(event) => public(event, names),
        Event::Own(event) => own(event, names),
        Event::Colony(ColonyEvent::ColonyChanged { owner, colony, change }) => {
            changed(&names(*owner), colony, *change, names)
        }
        Event::Colony(ColonyEvent::ColonyGone { owner, planet, gone }) => {
            ended_colony(&names(*owner), *planet, *gone)
        }
        Event::Battle(event) => battle::describe(event, names),
        Event::GlimpseKept { seat, number, sighting } => {
            (format!("Chance {number} of {} would show {}.", names(*seat), sighting.fleet), "10")
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
            (format!("Order of play: {}.", row(&seats.collect::<Vec<String>>())), "3.2")
        }
        TurnBegan { turn, seat } => (format!("Turn {turn}: it is {}'s turn.", names(*seat)), "4"),
        StageChanged { stage } => stage_sentence(*stage),
        Ended { ending } => ended(ending, names),
        Grouped { groups: Grouping { seat, at, groups } } => {
            let groups = match groups {
                0 => "none".to_owned(),
                _ => count(usize::from(*groups), "group", "groups"),
            };
            (format!("Ships of {} in {at}: {groups}.", names(*seat)), "BR-30")
        }
        Passed { seat, path } => {
            let hexes: Vec<String> = path.iter().map(ToString::to_string).collect();
            (format!("Ships of {} move: {}.", names(*seat), hexes.join(" ")), "5")
        }
        PostChanged { post: Post { seat, star }, up: true } => {
            (format!("{} sets up a command post at {star}.", names(*seat)), "7.2")
        }
        PostChanged { post: Post { seat, star }, up: false } => {
            (format!("{}'s command post at {star} is gone.", names(*seat)), "7.4")
        }
        ColonyShown { colony: Post { seat, star } } => (
            format!("{} inspects ships at {star}, which reveals a colony there.", names(*seat)),
            "10",
        ),
    }
}

fn stage_sentence(stage: Stage) -> Description {
    let (sentence, rule) = match stage {
        Stage::Setup => ("The players choose their starting forces.", "3.4"),
        Stage::Campaign(CampaignStage::Recall { .. }) => ("The Empire recalls ships.", "fate-4.4"),
        Stage::Campaign(CampaignStage::Place { .. }) => {
            ("Ships must move on to a permitted hex.", "space-7.1")
        }
        Stage::Movement => ("Ships move.", "5"),
        Stage::Combat => ("There are battles to fight in several hexes.", "12.1"),
        Stage::Battle => ("A battle is fought.", "12"),
        Stage::Planets => ("Players may attack colonies and land transports.", "4"),
        Stage::Production => ("Production turn: every player fills in a sheet.", "17"),
        Stage::Over => ("The game is over.", "19"),
    };
    (sentence.to_owned(), rule)
}

fn ended(ending: &Ending, names: Names<'_>) -> Description {
    let points = ending.points.iter().enumerate().map(|(index, points)| {
        let seat = if index < Seat::MAX { names(Seat::at(index)) } else { String::new() };
        format!("{seat} {points}")
    });
    let points = row(&points.collect::<Vec<String>>());
    let winners: Vec<String> = ending.winners.iter().map(names).collect();
    match ending.grade {
        Some(Grade::Fate(level)) => {
            let text = format!("The campaign is over: a {level}. Victory points: {points}.");
            (text, "fate-11")
        }
        None if winners.is_empty() => {
            (format!("The game is over without a winner. Points: {points}."), "19")
        }
        None => (format!("The game is over: {} won. Points: {points}.", row(&winners)), "19"),
    }
}

fn came(who: &str, ships: &[Ship], source: Source) -> Description {
    let fleet: Fleet = ships.iter().map(Ship::kind).collect();
    match source {
        Source::Start => (format!("{who} starts with {fleet}."), "3.3"),
        Source::Built => (format!("{who} has built {fleet}."), "17.8"),
        Source::Returned => {
            (format!("{who} recovers {fleet}, abandoned by their conqueror."), "BR-20")
        }
        Source::Empire => (format!("From the Empire, at {who}'s entry hex: {fleet}."), "fate-4.3"),
        Source::Pirates => (format!("Pirates appear: {fleet}."), "fate-6.2"),
        Source::Surrendered => (format!("Surrendered to {who}: {fleet}."), "space-11"),
    }
}

fn lost(who: &str, ships: &[ShipNumber], cause: Cause) -> Description {
    let ships = ships_of(ships);
    match cause {
        Cause::Battle => (format!("{who} loses {ships} in battle."), "12.3"),
        Cause::Exploration => (format!("{who} loses {ships} while exploring."), "11.2"),
        Cause::OutOfRange => (format!("{who} loses {ships} out of command range."), "7.5"),
        Cause::Landed => (format!("{who} lands {ships}."), "16.1"),
        Cause::Returned => (format!("{who} abandons {ships} of captives to their owner."), "BR-20"),
        Cause::Recalled => (format!("{who} sends {ships} back to the Empire."), "fate-4.4"),
        Cause::Surrendered => (format!("{who} surrenders {ships}."), "space-11"),
        Cause::Disengaged => {
            (format!("{who} disengage with {ships} and leave the game."), "fate-7.6")
        }
    }
}

fn explored(who: &str, star: &str, card: CardId) -> Description {
    let planets: Vec<String> = card
        .planets()
        .iter()
        .map(|planet| {
            let rich = if planet.mineral_rich { ", mineral-rich" } else { "" };
            format!("{} for {}M{rich}", planet.kind, planet.capacity)
        })
        .collect();
    let planets = if planets.is_empty() { "no planets".to_owned() } else { row(&planets) };
    (format!("{who} explores {star}: {planets}."), "11.4")
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

fn sighted(who: &str, sighting: &Sighting, names: Names<'_>) -> Description {
    let (of, at) = (names(sighting.of), sighting.at);
    if sighting.fleet.is_empty() {
        return (format!("{who} no longer sees ships of {of} in {at}."), "10");
    }
    (format!("{who} sees {} of {of} in {at}.", sighting.fleet), "10")
}

fn ended_colony(who: &str, at: PlanetId, gone: Gone) -> Description {
    match gone {
        Gone::Annexed => (format!("{who}'s people leave {at}, which was annexed."), "space-10.4"),
        Gone::Abandoned => (format!("{who}'s colony on {at} is abandoned."), "15.10"),
        Gone::Garrisoned => {
            (format!("The independent world on {at} is now a dominion."), "fate-8.5")
        }
        Gone::Evacuated => {
            (format!("{who}'s garrison leaves {at}, which is independent again."), "fate-8.7")
        }
    }
}

fn changed(who: &str, colony: &Colony, change: Change, names: Names<'_>) -> Description {
    use Change::{
        Bombarded, Conquered, Enslaved, Found, Freed, Garrisoned, Grew, Killed, Landed,
        Overcrowded, Produced, Razed, Scuttled, Settled, Siege, Swarms, Watch,
    };

    let at = colony.planet;
    let people = colony.population;
    let held = colony.conqueror().map_or_else(|| "nobody".to_owned(), names);
    match change {
        Landed => (format!("{who}'s colony on {at} has {people}M people after a landing."), "16.1"),
        Grew => {
            (format!("{who}'s colony on {at} grows by {}M to {people}M.", colony.grown), "17.1")
        }
        Produced => {
            // On a dominion, the subjects work and the garrison guards them (fate 8.6).
            let workers = match colony.subjects {
                0 => format!("{people}M people"),
                subjects => format!("{subjects}M subjects"),
            };
            let factories = count(colony.factories as usize, "factory", "factories");
            (
                format!(
                    "{who}'s colony on {at} has produced. It now has {workers} and {factories}."
                ),
                "17.5",
            )
        }
        Overcrowded => {
            (format!("Overcrowding on {at}: only {people}M of {who}'s people survive."), "16.6")
        }
        Siege if colony.is_besieged() => (format!("{who}'s colony on {at} is besieged."), "14"),
        Siege => (format!("The siege of {who}'s colony on {at} is over."), "14"),
        Conquered => (format!("{held} now holds {who}'s colony on {at} by conquest."), "15.1"),
        Freed => (format!("{who}'s colony on {at} is free again."), "15.5"),
        Settled => (format!("{who}'s colony on {at} now produces for its conqueror."), "15.2"),
        Bombarded => {
            let bases = count(colony.bases.total() as usize, "base", "bases");
            (format!("{who}'s colony on {at} has {bases} left."), "13.7")
        }
        Scuttled => {
            (format!("{who} destroys factories on {at}: {} left.", colony.factories), "13.5")
        }
        Razed => (format!("{held} destroys factories on {at}: {} left.", colony.factories), "15.8"),
        Killed => (format!("{held} kills people on {at}: {people}M left."), "15.9"),
        Enslaved => (format!("{who}'s people on {at} are now slaves of {held}."), "space-10.5"),
        Watch => (format!("{who}'s colony on {at} has new orders about passing ships."), "10"),
        Found => (format!("An independent world of {people}M is found on {at}."), "fate-6.2"),
        Garrisoned => (
            format!(
                "{at} is now a dominion: {}M subjects, {who}'s garrison {people}M.",
                colony.subjects
            ),
            "fate-8.5",
        ),
        Swarms => (
            format!("Swarms attack {at}: {}M left.", people.saturating_add(colony.subjects)),
            "fate-5.4",
        ),
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each event")]
fn own(event: &OwnEvent, names: Names<'_>) -> Description {
    use OwnEvent::{
        AgendaSet, Engaged, Explored, Formed, GlimpseEnded, Glimpsed, GrantChanged, LandingBegan,
        PeopleKilled, Repelled, Researched, RiskRolled, SheetStored, ShipsCame, ShipsLost,
        ShipsMoved, Sighted, StandingChanged, Surveyed,
    };

    match event {
        AgendaSet { seat, titles } if titles.is_empty() => {
            (format!("{}'s researchers await new orders.", names(*seat)), "space-6.3")
        }
        AgendaSet { seat, titles } => {
            let titles: Vec<String> = titles.iter().map(ToString::to_string).collect();
            (format!("{} researches {} next.", names(*seat), row(&titles)), "space-6.3")
        }
        ShipsCame { seat, ships, source } => came(&names(*seat), ships, *source),
        ShipsMoved { seat, ships, to, destination, halted, .. } => {
            let bound = destination.map_or_else(String::new, |star| format!(", bound for {star}"));
            let stop = if *halted { ", and must stop" } else { "" };
            (format!("{} moves {} to {to}{bound}{stop}.", names(*seat), ships_of(ships)), "5")
        }
        Formed { seat, ships, marker: Some(marker) } => (
            format!(
                "{} assigns {} to task force {}.",
                names(*seat),
                ships_of(ships),
                marker.number()
            ),
            "9",
        ),
        Formed { seat, ships, marker: None } => {
            (format!("{} takes {} out of task forces.", names(*seat), ships_of(ships)), "9")
        }
        ShipsLost { seat, ships, cause } => lost(&names(*seat), ships, *cause),
        Engaged { seat, ships } => {
            (format!("{} fights with {}.", names(*seat), ships_of(ships)), "12.2")
        }
        RiskRolled { seat, star, rolls } => {
            let dice: Vec<String> = rolls.iter().map(|roll| roll.die.to_string()).collect();
            let dead = rolls.iter().filter(|roll| roll.die == 1).count();
            let dead = match dead {
                0 => "no ship is".to_owned(),
                dead => count(dead, "ship is", "ships are"),
            };
            (
                format!(
                    "{} explores {star}; the dice show {}: {dead} lost.",
                    names(*seat),
                    dice.join(" ")
                ),
                "11.2",
            )
        }
        Explored { seat, star, card } => explored(&names(*seat), star.as_str(), *card),
        Surveyed { seat, star, colonies } => {
            let seen = colonies.iter().enumerate().filter_map(|(nth, seen)| Some((nth, (*seen)?)));
            let seen: Vec<String> = seen.map(|(nth, seen)| survey(nth, &seen, names)).collect();
            let seen =
                if seen.is_empty() { "no colonies of others".to_owned() } else { row(&seen) };
            (format!("{} finds {seen} at {star}.", names(*seat)), "11.5")
        }
        Sighted { seat, sighting } => sighted(&names(*seat), sighting, names),
        Glimpsed { seat, glimpse } => {
            let (number, star, of) = (glimpse.number, glimpse.star, names(glimpse.of));
            (
                format!(
                    "{} may look at ships of {of} that pass {star} (chance {number}).",
                    names(*seat)
                ),
                "10",
            )
        }
        GlimpseEnded { seat, number } => {
            (format!("Chance {number} of {} is over.", names(*seat)), "10")
        }
        PeopleKilled { seat, killed: Killed { star, millions } } => {
            (format!("{} kills {millions}M people at {star}.", names(*seat)), "15.9")
        }
        LandingBegan { seat } => {
            (format!("{} lands and cannot attack again this turn.", names(*seat)), "4")
        }
        Researched { seat, acquired, .. } => researched(&names(*seat), *acquired),
        GrantChanged { seat, points } => (
            format!("{} has {points} i.p. from the Empire for research.", names(*seat)),
            "fate-4.2",
        ),
        StandingChanged { seat, .. } => {
            (format!("{} has new standing orders.", names(*seat)), "20")
        }
        SheetStored { seat, sheet } => {
            let (what, rule) = match sheet {
                Sheet::None => ("nothing", "17"),
                Sheet::Outfit(_) => ("the choice of starting forces", "3.4"),
                Sheet::Production(_) => ("a production sheet", "17"),
                Sheet::Decree(_) => ("the choices that a decree leaves open", "space-6.2"),
            };
            (format!("{} hands in {what}.", names(*seat)), rule)
        }
        Repelled { planet: at, rounds: 0 | 1, .. } => {
            (format!("The attack on the shield of {at} can be resumed this turn."), "space-1.1")
        }
        Repelled { planet: at, .. } => (
            format!("The shield of {at} holds: the attack on it is over for this turn."),
            "space-1.1",
        ),
    }
}

fn researched(who: &str, acquired: TechSet) -> Description {
    let techs: Vec<String> = acquired.iter().map(|tech: Tech| tech.to_string()).collect();
    if techs.is_empty() {
        return (format!("{who} continues research."), "18.3");
    }
    (format!("{who} acquires {}.", row(&techs)), "18.3")
}
