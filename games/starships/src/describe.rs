//! Descriptions of events. Each has a sentence, and the number of the rule that decided the event.

use heliopause_kernel::{Seat, count};

use crate::event::{
    BattleEvent, Cause, DeathStarEvent, Event, MoveEvent, PlanetEvent, StandingEvent, TurnEvent,
    WordEvent,
};
use crate::knowledge::{Offer, Owed, Pledge};
use crate::markers::{Marker, planet_name};
use crate::order::{Means, Promise};
use crate::pieces::{Piece, Target};
use crate::table::{HiddenRoll, Purpose, Stage, Status};

type Names<'a> = &'a dyn Fn(Seat) -> String;

type Description = (String, &'static str);

pub(crate) fn describe(event: &Event, names: Names<'_>) -> Description {
    match *event {
        Event::Turn(event) => turn(event, names),
        Event::Move(event) => movement(event),
        Event::Planet(event) => planets(event, names),
        Event::Battle(event) => battle(event, names),
        Event::DeathStar(event) => death_star(event, names),
        Event::Standing(event) => standing(event, names),
        Event::Word(event) => word(event, names),
    }
}

fn turn(event: TurnEvent, names: Names<'_>) -> Description {
    match event {
        TurnEvent::OrderRolled { seat, die } => {
            (format!("{} rolls {die} for the first turn.", names(seat)), "2")
        }
        TurnEvent::TurnBegan { round, seat } => {
            (format!("Round {round}: it is {}'s turn.", names(seat)), "3")
        }
        TurnEvent::ArrivalsOpened { seat, allowance: 0 } => {
            (format!("{} may build no starships within the sponsor limit.", names(seat)), "R23")
        }
        TurnEvent::ArrivalsOpened { seat, allowance } => (
            format!(
                "{} may build up to {} within the sponsor limit.",
                names(seat),
                starships(allowance)
            ),
            "R23",
        ),
        TurnEvent::ArrivalsClosed { seat } => {
            (format!("{} builds no more this turn.", names(seat)), "3.1")
        }
        TurnEvent::Built { ship, at } => {
            (format!("{} builds {ship} in {at}.", names(ship.owner)), "3.1")
        }
        TurnEvent::TurnEnded { seat } => (format!("{}'s turn ends.", names(seat)), "3.3"),
        TurnEvent::StageChanged { stage } => stage_sentence(stage),
        TurnEvent::Asked { seat, pending_decision: owes } => asked(seat, owes, names),
        TurnEvent::Ended { ending } => {
            let (summary, rule) = ending.reason.explain();
            (format!("The game is over. {summary}"), rule)
        }
        TurnEvent::RollRevealed { roll } => (revealed(roll), "R25"),
    }
}

fn revealed(roll: HiddenRoll) -> String {
    let HiddenRoll { round, piece, at, purpose, dice } = roll;
    let what = match purpose {
        Purpose::Asteroids => "entered Asteroids",
        Purpose::Ambush => "was shot at by the undisturbed Death Star",
        Purpose::Fire => "fired at the Death Star it had met",
        Purpose::Attempt(Means::Diplomacy) => "tried diplomacy",
        Purpose::Attempt(Means::Force) => "tried force",
    };
    let dice = dice.1.map_or_else(|| dice.0.to_string(), |second| format!("{}, {second}", dice.0));
    format!("In round {round}, {} {what} in {at} ({dice}).", object(piece))
}

pub(crate) fn starships(number: u8) -> String {
    count(number.into(), "starship")
}

pub(crate) fn zones(number: u8) -> String {
    count(number.into(), "Death Zone")
}

fn stage_sentence(stage: Stage) -> (String, &'static str) {
    match stage {
        Stage::Turn => ("The turn continues.".to_owned(), "3.2"),
        Stage::Battle(battle) => {
            (format!("{} fights on, or withdraws.", subject(battle.attacker)), "6")
        }
        Stage::Zones { .. } => {
            ("The Death Star may place its first two Death Zones.".to_owned(), "R37")
        }
        Stage::Growth => ("The Death Zones may grow.".to_owned(), "R15"),
        Stage::Breach { planet: false, .. } => {
            ("A starship is chosen as the penalty for a broken word.".to_owned(), "R13")
        }
        Stage::Breach { .. } => {
            ("A planet is chosen as the penalty for a broken word.".to_owned(), "R13")
        }
        Stage::Over(_) => ("The game is over.".to_owned(), "9"),
    }
}

fn asked(seat: Seat, owes: Option<Owed>, names: Names<'_>) -> (String, &'static str) {
    let who = names(seat);
    match owes {
        None => (format!("{who} has decided."), "3.5"),
        Some(Owed::Fire(piece)) => {
            (format!("{} survives: {who} may fire at the Death Star.", subject(piece)), "8")
        }
        Some(Owed::Sacrifice(count)) => (format!("{who} must remove {}.", starships(count)), "5"),
        Some(Owed::ChooseShip(breaker)) => {
            (format!("{who} chooses one of {}'s starships.", names(breaker)), "R13")
        }
        Some(Owed::ChoosePlanet(breaker)) => {
            (format!("{who} chooses one of {}'s planets.", names(breaker)), "R13")
        }
        Some(Owed::CedePlanet(to)) => {
            (format!("{who} chooses which planet {} gets.", names(to)), "R13")
        }
        Some(Owed::Zones { left, .. }) => {
            (format!("{who} may place up to {}.", zones(left)), "R37")
        }
        Some(Owed::Growth { .. }) => (format!("{who} may let the Death Zones grow."), "R15"),
    }
}

fn movement(event: MoveEvent) -> Description {
    match event {
        MoveEvent::Moved { piece, from, via: None, to, warp: false } => {
            (format!("{} moves from {from} to {to}.", subject(piece)), "4")
        }
        MoveEvent::Moved { piece, from, via: Some(via), to, warp: false } => {
            (format!("{} moves from {from} through {via} to {to}.", subject(piece)), "4.4")
        }
        MoveEvent::Moved { piece, from, via: Some(via), to, .. } => {
            (format!("{piece} warps from {from} through {via} to {to}."), "4")
        }
        MoveEvent::Moved { piece, from, to, .. } => {
            (format!("{piece} warps from {from} and gets as far as {to}."), "R29")
        }
        MoveEvent::ZoneCleared { at } => (format!("The Death Zone in {at} is destroyed."), "8"),
        MoveEvent::AsteroidsRolled { ship, die } if die <= 3 => {
            (format!("{ship} hits Asteroids ({die})."), "R6")
        }
        MoveEvent::AsteroidsRolled { ship, die } => {
            (format!("{ship} passes the Asteroids unharmed ({die})."), "R6")
        }
        MoveEvent::WarpRolled { ship, die } => {
            (format!("{ship} rolls {die} on arriving from warp."), "4")
        }
        MoveEvent::Disrupted { ship } => (format!("{ship} is Disrupted."), "4"),
        MoveEvent::Lost { piece, at, cause } => lost(piece, &at.to_string(), cause),
        MoveEvent::Settled { base, at } => (format!("The {base} settles in {at}."), "4.4"),
    }
}

pub(crate) fn subject(piece: Piece) -> String {
    match piece {
        Piece::Ship(ship) => ship.to_string(),
        Piece::Base(base) => format!("The {base}"),
    }
}

pub(crate) fn object(piece: Piece) -> String {
    match piece {
        Piece::Ship(ship) => ship.to_string(),
        Piece::Base(base) => format!("the {base}"),
    }
}

fn lost(piece: Piece, at: &str, cause: Option<Cause>) -> (String, &'static str) {
    let piece = subject(piece);
    let (reason, rule) = match cause {
        None => ("is lost", "R25"),
        Some(Cause::Battle) => ("is destroyed in battle", "6"),
        Some(Cause::DeathStar) => ("is destroyed by the Death Star", "8"),
        Some(Cause::Asteroids) => ("is wrecked in Asteroids at warp speed", "R4"),
        Some(Cause::DeathZone) => ("is wrecked in a Death Zone at warp speed", "R4"),
        Some(Cause::Repelled) => ("fails to take the planet by force and is destroyed", "4.2"),
        Some(Cause::Surrounded) => ("is surrounded by Death Zones and destroyed", "R17"),
        Some(Cause::Unsponsored) => ("has no sponsor and is removed", "5"),
        Some(Cause::PlanetDestroyed) => ("is destroyed together with the planet", "8"),
        Some(Cause::TooLongOut) => ("was out too long and is lost", "R32"),
    };
    (format!("{piece} {reason} in {at}."), rule)
}

fn planets(event: PlanetEvent, names: Names<'_>) -> Description {
    match event {
        PlanetEvent::HexRevealed { seat, at, marker, owner } => (
            format!("{} sees {at}: {}{}.", names(seat), marker.as_str(), owned_by(owner, names)),
            "R20",
        ),
        PlanetEvent::FacedUp { at, marker, owner, by } => {
            let who = by.map_or_else(
                || "The marker in".to_owned(),
                |seat| format!("{} turns", names(seat)),
            );
            let name = planet_name(marker, at).filter(|_| marker != Marker::Earth);
            let name = name.map_or_else(String::new, |name| format!(", called {name}"));
            let verb = if by.is_some() { "face up" } else { "is now face up" };
            (
                format!("{who} {at} {verb}: {}{name}{}.", marker.as_str(), owned_by(owner, names)),
                "3.2",
            )
        }
        PlanetEvent::Owned { at, owner: Some(owner) } => {
            (format!("The planet in {at} now belongs to {}.", names(owner)), "4")
        }
        PlanetEvent::Owned { at, owner: None } => {
            (format!("The planet in {at} is now unowned."), "4")
        }
        PlanetEvent::Gained { seat, at } => {
            (format!("{} gains the planet in {at}.", names(seat)), "R23")
        }
        PlanetEvent::Forfeited { seat, at } => {
            (format!("{} loses the planet in {at}.", names(seat)), "4.3")
        }
        PlanetEvent::Marked { seat, at } => {
            (format!("{} places an ownership marker in {at}.", names(seat)), "3.7")
        }
        PlanetEvent::Unmarked { seat, at } => {
            (format!("{}'s ownership marker is removed from {at}.", names(seat)), "3.7")
        }
        PlanetEvent::Given { giver, receiver, at } => {
            (format!("{} gives the planet in {at} to {}.", names(giver), names(receiver)), "9")
        }
        PlanetEvent::Attempted { piece, at, means, owner, dice, taken } => {
            let how = match means {
                Means::Diplomacy => "diplomacy",
                Means::Force => "force",
            };
            let dice =
                dice.1.map_or_else(|| dice.0.to_string(), |second| format!("{}, {second}", dice.0));
            let result = if taken { "takes" } else { "fails to take" };
            let whose = owner.map_or_else(String::new, |owner| format!(" of {}", names(owner)));
            let piece = subject(piece);
            (format!("{piece} {result} the planet{whose} in {at} by {how} ({dice})."), "4.2")
        }
    }
}

fn owned_by(owner: Option<Seat>, names: Names<'_>) -> String {
    owner.map_or_else(String::new, |owner| format!(", owned by {}", names(owner)))
}

fn battle(event: BattleEvent, names: Names<'_>) -> Description {
    match event {
        BattleEvent::BattleRolled { attacker, target: foe, attack, defense } => {
            let foe = match foe {
                Target::Piece(piece) => object(piece),
                Target::DeathStar => "the Death Star".to_owned(),
            };
            let die =
                |die: Option<u8>| die.map_or_else(|| "no roll".to_owned(), |die| die.to_string());
            let attacker = subject(attacker);
            (format!("{attacker} fights {foe}: {} against {}.", die(attack), die(defense)), "6")
        }
        BattleEvent::Withdrew { piece, to } => {
            (format!("{} withdraws to {to}.", subject(piece)), "R9")
        }
        BattleEvent::ActOfWar { attacker, defender } => {
            (format!("{} attacks {}: they are at war.", names(attacker), names(defender)), "R7")
        }
        BattleEvent::PeaceMade { first, second } => {
            (format!("{} and {} make peace.", names(first), names(second)), "R7")
        }
        BattleEvent::AxisNamed { seat } => (
            format!(
                "{}'s unprovoked attack turns the Alliance into the Aggressor Axis.",
                names(seat)
            ),
            "R2",
        ),
    }
}

fn death_star(event: DeathStarEvent, names: Names<'_>) -> Description {
    match event {
        DeathStarEvent::Ambushed { piece, die } => {
            (format!("The Death Star fires at {} ({die}).", object(piece)), "8")
        }
        DeathStarEvent::FiredAtDeathStar { piece, die: Some(die) } => {
            (format!("{} fires at the Death Star ({die}).", subject(piece)), "8")
        }
        DeathStarEvent::FiredAtDeathStar { piece, die: None } => {
            (format!("{} holds its fire.", subject(piece)), "8")
        }
        DeathStarEvent::DeathStarActivated { at, provoker } => {
            (format!("{} has woken the Death Star in {at}.", names(provoker)), "8")
        }
        DeathStarEvent::DeathStarDestroyed { at, seat } => {
            (format!("{} destroys the Death Star in {at}.", names(seat)), "8")
        }
        DeathStarEvent::ZonePlaced { at } => (format!("A Death Zone spreads into {at}."), "8"),
        DeathStarEvent::ZoneStruck { at, die } if die <= 3 => {
            (format!("A Death Zone destroys the planet in {at} ({die})."), "8")
        }
        DeathStarEvent::ZoneStruck { at, die } => {
            (format!("The Death Zone entering {at} is destroyed ({die})."), "8")
        }
        DeathStarEvent::ZoneBlocked { at } => {
            (format!("A Disrupted starship prevents the Death Zone from entering {at}."), "R39")
        }
        DeathStarEvent::SourceSpent { from, to } => {
            (format!("The Death Zones grow from {from} towards {to}."), "R15")
        }
    }
}

fn standing(event: StandingEvent, names: Names<'_>) -> Description {
    match event {
        StandingEvent::StatusChanged { seat, status } => match status {
            Status::Alliance => (format!("{} is in the Alliance.", names(seat)), "2"),
            Status::Exiled { .. } => (format!("{} is exiled from the Alliance.", names(seat)), "7"),
            Status::Independent => (format!("{} is Independent, a Viking.", names(seat)), "7"),
            Status::Eliminated => (format!("{} is out of the game.", names(seat)), "R22"),
        },
        StandingEvent::Eliminated { seat } => {
            (format!("{} has lost the last base and is out of the game.", names(seat)), "R22")
        }
        StandingEvent::Voted { seat, against, withdrawn: false } => {
            (format!("{} votes to exile {}.", names(seat), names(against)), "R36")
        }
        StandingEvent::Voted { seat, against, .. } => {
            (format!("{} withdraws the vote against {}.", names(seat), names(against)), "R36")
        }
        StandingEvent::Offered { offer: Offer { from, to, agreement }, retracted } => {
            let verb = if retracted { "withdraws the offer of" } else { "offers" };
            (
                format!("{} {verb} {} to {}.", names(from), agreement.as_str(), names(to)),
                agreement.rule(),
            )
        }
        StandingEvent::PartnershipMade { first, second } => {
            (format!("{} and {} are partners.", names(first), names(second)), "R41")
        }
        StandingEvent::PartnershipEnded { first, second } => {
            (format!("{} ends the partnership with {}.", names(first), names(second)), "R41")
        }
    }
}

fn word(event: WordEvent, names: Names<'_>) -> Description {
    match event {
        WordEvent::Pledged { pledge } => {
            (pledge_sentence(pledge, "gives their word to", names), "7")
        }
        WordEvent::PledgeEnded { pledge } => {
            (pledge_sentence(pledge, "is no longer bound by their word to", names), "R13")
        }
        WordEvent::PledgedPlanetGiven { pledge } => {
            (pledge_sentence(pledge, "has given away what was promised to", names), "R13")
        }
        WordEvent::PledgeBroken { pledge } => {
            (pledge_sentence(pledge, "breaks their word to", names), "R13")
        }
        WordEvent::BreachSettled { breaker, offended } => (
            format!("{}'s broken word to {} is made good.", names(breaker), names(offended)),
            "R13",
        ),
        WordEvent::Transferred { from, to } => {
            (format!("{from} now belongs to {}, as {to}.", names(to.owner)), "R13")
        }
    }
}

fn pledge_sentence(pledge: Pledge, verb: &str, names: Names<'_>) -> String {
    let promise = match pledge.promise {
        Promise::NoAttack => "not to attack".to_owned(),
        Promise::GivePlanet(at) => format!("to give the planet in {at}"),
        Promise::KeepOut(at) => format!("to keep starships out of {at}"),
        Promise::NoExileVote => "not to vote for exile".to_owned(),
    };
    let until = pledge.until;
    format!(
        "{} {verb} {}: {promise}, until the end of round {until}.",
        names(pledge.giver),
        names(pledge.receiver)
    )
}
