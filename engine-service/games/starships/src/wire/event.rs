//! Events.

use heliopause_kernel::Malformed;
use heliopause_proto::starships_at_large::v1 as proto;
use proto::event::Kind;

use super::names::{
    read_agreement, read_base, read_die, read_die_if, read_marker, read_means, read_piece, read_place, read_place_if,
    read_player, read_player_if, read_seat, read_ship, read_target, read_u8, write_marker, write_means, write_piece,
    write_place, write_seat, write_seat_if, write_ship, write_target,
};
use super::state::{
    read_ending, read_hidden_roll, read_owed_if, read_pledge, read_stage, read_status_if, write_ending,
    write_hidden_roll, write_offer, write_owed, write_pledge, write_stage, write_status,
};
use super::wrong;
use crate::event::{Cause, Event};
use crate::knowledge::Pledge;
use crate::pieces::Piece;
use crate::table::Breach;

fn die_if(die: Option<u8>) -> u32 {
    die.map_or(0, u32::from)
}

fn write_cause(cause: Option<Cause>) -> i32 {
    let cause = match cause {
        None => proto::Cause::Unspecified,
        Some(Cause::Battle) => proto::Cause::Battle,
        Some(Cause::DeathStar) => proto::Cause::DeathStar,
        Some(Cause::Asteroids) => proto::Cause::Asteroids,
        Some(Cause::DeathZone) => proto::Cause::DeathZone,
        Some(Cause::Repelled) => proto::Cause::Repelled,
        Some(Cause::Surrounded) => proto::Cause::Surrounded,
        Some(Cause::Unsponsored) => proto::Cause::Unsponsored,
        Some(Cause::PlanetDestroyed) => proto::Cause::PlanetDestroyed,
        Some(Cause::TooLongOut) => proto::Cause::TooLongOut,
    };
    cause.into()
}

fn read_cause(cause: i32) -> Result<Option<Cause>, Malformed> {
    Ok(match proto::Cause::try_from(cause) {
        Ok(proto::Cause::Unspecified) => None,
        Ok(proto::Cause::Battle) => Some(Cause::Battle),
        Ok(proto::Cause::DeathStar) => Some(Cause::DeathStar),
        Ok(proto::Cause::Asteroids) => Some(Cause::Asteroids),
        Ok(proto::Cause::DeathZone) => Some(Cause::DeathZone),
        Ok(proto::Cause::Repelled) => Some(Cause::Repelled),
        Ok(proto::Cause::Surrounded) => Some(Cause::Surrounded),
        Ok(proto::Cause::Unsponsored) => Some(Cause::Unsponsored),
        Ok(proto::Cause::PlanetDestroyed) => Some(Cause::PlanetDestroyed),
        Ok(proto::Cause::TooLongOut) => Some(Cause::TooLongOut),
        Err(_) => return wrong("lost.cause", "there is no such cause"),
    })
}

pub(super) fn write(event: &Event) -> proto::Event {
    let kind = match *event {
        Event::OrderRolled { .. }
        | Event::TurnBegan { .. }
        | Event::ArrivalsOpened { .. }
        | Event::ArrivalsClosed { .. }
        | Event::Built { .. }
        | Event::StageChanged { .. }
        | Event::TurnEnded { .. }
        | Event::Ended { .. }
        | Event::RollRevealed { .. }
        | Event::Asked { .. } => write_turn(event),
        Event::Moved { .. }
        | Event::ZoneCleared { .. }
        | Event::AsteroidsRolled { .. }
        | Event::WarpRolled { .. }
        | Event::Disrupted { .. }
        | Event::Lost { .. }
        | Event::Settled { .. }
        | Event::BattleRolled { .. }
        | Event::Withdrew { .. } => write_movement(event),
        Event::Noted { .. }
        | Event::FacedUp { .. }
        | Event::Owned { .. }
        | Event::Gained { .. }
        | Event::Forfeited { .. }
        | Event::Marked { .. }
        | Event::Unmarked { .. }
        | Event::Given { .. }
        | Event::Attempted { .. } => write_planet(event),
        Event::Ambushed { .. }
        | Event::FiredAtDeathStar { .. }
        | Event::DeathStarActivated { .. }
        | Event::DeathStarDestroyed { .. }
        | Event::ZonePlaced { .. }
        | Event::ZoneStruck { .. }
        | Event::ZoneBlocked { .. }
        | Event::SourceSpent { .. } => write_death_star(event),
        _ => write_standing(event),
    };
    proto::Event { kind }
}

fn write_turn(event: &Event) -> Option<Kind> {
    Some(match *event {
        Event::OrderRolled { seat, die } => {
            Kind::OrderRolled(proto::OrderRolled { seat: write_seat(seat), die: die.into() })
        }
        Event::TurnBegan { round, seat } => {
            Kind::TurnBegan(proto::TurnBegan { round: round.into(), seat: write_seat(seat) })
        }
        Event::ArrivalsOpened { seat, allowance } => {
            Kind::ArrivalsOpened(proto::ArrivalsOpened { seat: write_seat(seat), allowance: allowance.into() })
        }
        Event::ArrivalsClosed { seat } => Kind::ArrivalsClosed(proto::ArrivalsClosed { seat: write_seat(seat) }),
        Event::Built { ship, at } => {
            Kind::StarshipBuilt(proto::StarshipBuilt { starship: Some(write_ship(ship)), at: Some(write_place(at)) })
        }
        Event::StageChanged { stage } => Kind::StageChanged(proto::StageChanged { stage: Some(write_stage(stage)) }),
        Event::RollRevealed { roll } => Kind::RollRevealed(proto::RollRevealed { roll: Some(write_hidden_roll(roll)) }),
        Event::TurnEnded { seat } => Kind::TurnEnded(proto::TurnEnded { seat: write_seat(seat) }),
        Event::Ended { ending } => Kind::GameEnded(proto::GameEnded { ending: Some(write_ending(ending)) }),
        Event::Asked { seat, owes } => Kind::Asked(proto::Asked { seat: write_seat(seat), owes: owes.map(write_owed) }),
        _ => return None,
    })
}

fn write_movement(event: &Event) -> Option<Kind> {
    Some(match *event {
        Event::Moved { piece, from, via, to, warp } => Kind::Moved(proto::Moved {
            piece: Some(write_piece(piece)),
            from_hex: Some(write_place(from)),
            via: via.map(write_place),
            to_hex: Some(write_place(to)),
            warp,
        }),
        Event::ZoneCleared { at } => Kind::ZoneCleared(proto::ZoneCleared { at: Some(write_place(at)) }),
        Event::AsteroidsRolled { ship, die } => {
            Kind::AsteroidsRolled(proto::AsteroidsRolled { starship: Some(write_ship(ship)), die: die.into() })
        }
        Event::WarpRolled { ship, die } => {
            Kind::WarpRolled(proto::WarpRolled { starship: Some(write_ship(ship)), die: die.into() })
        }
        Event::Disrupted { ship } => Kind::Disrupted(proto::Disrupted { starship: Some(write_ship(ship)) }),
        Event::Lost { piece, at, cause } => Kind::Lost(proto::Lost {
            piece: Some(write_piece(piece)),
            at: Some(write_place(at)),
            cause: write_cause(cause),
        }),
        Event::Settled { base, at } => Kind::BaseSettled(proto::BaseSettled {
            base: Some(write_piece(Piece::Base(base))),
            at: Some(write_place(at)),
        }),
        Event::BattleRolled { attacker, foe, attack, defence } => Kind::BattleRolled(proto::BattleRolled {
            attacker: Some(write_piece(attacker)),
            foe: Some(write_target(foe)),
            attacker_die: die_if(attack),
            defender_die: die_if(defence),
        }),
        Event::Withdrew { piece, to } => {
            Kind::Withdrew(proto::Withdrew { piece: Some(write_piece(piece)), to: Some(write_place(to)) })
        }
        _ => return None,
    })
}

fn write_planet(event: &Event) -> Option<Kind> {
    Some(match *event {
        Event::Noted { seat, at, marker, owner } => Kind::Noted(proto::Noted {
            seat: write_seat(seat),
            at: Some(write_place(at)),
            marker: write_marker(marker),
            owner: write_seat_if(owner),
        }),
        Event::FacedUp { at, marker, owner, by } => Kind::FacedUp(proto::FacedUp {
            at: Some(write_place(at)),
            marker: write_marker(marker),
            owner: write_seat_if(owner),
            by: write_seat_if(by),
        }),
        Event::Owned { at, owner } => {
            Kind::Owned(proto::Owned { at: Some(write_place(at)), owner: write_seat_if(owner) })
        }
        Event::Gained { seat, at } => Kind::Gained(proto::Gained { seat: write_seat(seat), at: Some(write_place(at)) }),
        Event::Forfeited { seat, at } => {
            Kind::Forfeited(proto::Forfeited { seat: write_seat(seat), at: Some(write_place(at)) })
        }
        Event::Marked { seat, at } => Kind::Marked(proto::Marked { seat: write_seat(seat), at: Some(write_place(at)) }),
        Event::Unmarked { seat, at } => {
            Kind::Unmarked(proto::Unmarked { seat: write_seat(seat), at: Some(write_place(at)) })
        }
        Event::Given { giver, receiver, at } => Kind::Given(proto::Given {
            giver: write_seat(giver),
            receiver: write_seat(receiver),
            at: Some(write_place(at)),
        }),
        Event::Attempted { piece, at, means, owner, dice, taken } => Kind::Attempted(proto::Attempted {
            piece: Some(write_piece(piece)),
            at: Some(write_place(at)),
            means: write_means(means),
            owner: write_seat_if(owner),
            dice: [Some(dice.0), dice.1].into_iter().flatten().map(u32::from).collect(),
            taken,
        }),
        _ => return None,
    })
}

fn write_death_star(event: &Event) -> Option<Kind> {
    Some(match *event {
        Event::Ambushed { piece, die } => {
            Kind::Ambushed(proto::Ambushed { piece: Some(write_piece(piece)), die: die.into() })
        }
        Event::FiredAtDeathStar { piece, die } => {
            Kind::FiredAtDeathStar(proto::FiredAtDeathStar { piece: Some(write_piece(piece)), die: die_if(die) })
        }
        Event::DeathStarActivated { at, provoker } => Kind::DeathStarActivated(proto::DeathStarActivated {
            at: Some(write_place(at)),
            provoker: write_seat(provoker),
        }),
        Event::DeathStarDestroyed { at, seat } => {
            Kind::DeathStarDestroyed(proto::DeathStarDestroyed { at: Some(write_place(at)), seat: write_seat(seat) })
        }
        Event::ZonePlaced { at } => Kind::ZonePlaced(proto::ZonePlaced { at: Some(write_place(at)) }),
        Event::ZoneStruck { at, die } => {
            Kind::ZoneStruck(proto::ZoneStruck { at: Some(write_place(at)), die: die.into() })
        }
        Event::ZoneBlocked { at } => Kind::ZoneBlocked(proto::ZoneBlocked { at: Some(write_place(at)) }),
        Event::SourceSpent { from, to } => {
            Kind::SourceSpent(proto::SourceSpent { source: Some(write_place(from)), to: Some(write_place(to)) })
        }
        _ => return None,
    })
}

fn write_standing(event: &Event) -> Option<Kind> {
    let word = |pledge: Pledge| Some(write_pledge(pledge));
    Some(match *event {
        Event::ActOfWar { attacker, defender } => {
            Kind::ActOfWar(proto::ActOfWar { attacker: write_seat(attacker), defender: write_seat(defender) })
        }
        Event::PeaceMade { first, second } => {
            Kind::PeaceMade(proto::PeaceMade { first: write_seat(first), second: write_seat(second) })
        }
        Event::AxisNamed { seat } => Kind::AxisNamed(proto::AxisNamed { seat: write_seat(seat) }),
        Event::StatusChanged { seat, status } => {
            let (status, round) = write_status(status);
            Kind::StatusChanged(proto::StatusChanged { seat: write_seat(seat), status, round })
        }
        Event::Eliminated { seat } => Kind::Eliminated(proto::Eliminated { seat: write_seat(seat) }),
        Event::Voted { seat, against, withdrawn } => {
            Kind::Voted(proto::Voted { seat: write_seat(seat), against: write_seat(against), withdrawn })
        }
        Event::Offered { from, to, agreement, retracted } => {
            Kind::Offered(proto::Offered { offer: Some(write_offer(from, to, agreement)), retracted })
        }
        Event::PartnershipMade { first, second } => {
            Kind::PartnershipMade(proto::PartnershipMade { first: write_seat(first), second: write_seat(second) })
        }
        Event::PartnershipEnded { first, second } => {
            Kind::PartnershipEnded(proto::PartnershipEnded { first: write_seat(first), second: write_seat(second) })
        }
        Event::Pledged { pledge } => Kind::Pledged(proto::Pledged { pledge: word(pledge) }),
        Event::PledgeEnded { pledge } => Kind::PledgeEnded(proto::PledgeEnded { pledge: word(pledge) }),
        Event::PledgeStrayed { pledge } => Kind::PledgeStrayed(proto::PledgeStrayed { pledge: word(pledge) }),
        Event::PledgeBroken { pledge } => Kind::PledgeBroken(proto::PledgeBroken { pledge: word(pledge) }),
        Event::BreachSettled { breach } => Kind::BreachSettled(proto::BreachSettled {
            breaker: write_seat(breach.breaker),
            offended: write_seat(breach.offended),
        }),
        Event::Transferred { from, to } => Kind::StarshipTransferred(proto::StarshipTransferred {
            old_piece: Some(write_ship(from)),
            new_piece: Some(write_ship(to)),
        }),
        _ => return None,
    })
}

pub(super) fn read(message: &proto::Event) -> Result<Event, Malformed> {
    let kind = Malformed::need(message.kind.as_ref(), "kind")?;
    let found = read_turn(kind)?;
    let found = found.map_or_else(|| read_movement(kind), |event| Ok(Some(event)))?;
    let found = found.map_or_else(|| read_planet(kind), |event| Ok(Some(event)))?;
    let found = found.map_or_else(|| read_death_star(kind), |event| Ok(Some(event)))?;
    let found = found.map_or_else(|| read_standing(kind), |event| Ok(Some(event)))?;
    match found {
        Some(event) => Ok(event),
        None => wrong("kind", "the event is not known"),
    }
}

type Found = Result<Option<Event>, Malformed>;

fn read_turn(kind: &Kind) -> Found {
    Ok(Some(match kind {
        Kind::OrderRolled(event) => {
            Event::OrderRolled { seat: read_player(event.seat, "seat")?, die: read_die(event.die, "die")? }
        }
        Kind::TurnBegan(event) => {
            Event::TurnBegan { round: read_u8(event.round, "round")?, seat: read_player(event.seat, "seat")? }
        }
        Kind::ArrivalsOpened(event) => Event::ArrivalsOpened {
            seat: read_player(event.seat, "seat")?,
            allowance: read_u8(event.allowance, "allowance")?,
        },
        Kind::ArrivalsClosed(event) => Event::ArrivalsClosed { seat: read_player(event.seat, "seat")? },
        Kind::StarshipBuilt(event) => Event::Built {
            ship: read_ship(event.starship.as_ref(), "starship")?,
            at: read_place(event.at.as_ref(), "at")?,
        },
        Kind::StageChanged(event) => {
            Event::StageChanged { stage: read_stage(Malformed::need(event.stage.as_ref(), "stage")?, "stage")? }
        }
        Kind::TurnEnded(event) => Event::TurnEnded { seat: read_player(event.seat, "seat")? },
        Kind::GameEnded(event) => {
            Event::Ended { ending: read_ending(Malformed::need(event.ending.as_ref(), "ending")?, "ending")? }
        }
        Kind::RollRevealed(event) => {
            Event::RollRevealed { roll: read_hidden_roll(Malformed::need(event.roll.as_ref(), "roll")?, "roll")? }
        }
        Kind::Asked(event) => {
            Event::Asked { seat: read_seat(event.seat, "seat")?, owes: read_owed_if(event.owes.as_ref(), "owes")? }
        }
        _ => return Ok(None),
    }))
}

fn read_movement(kind: &Kind) -> Found {
    Ok(Some(match kind {
        Kind::Moved(event) => Event::Moved {
            piece: read_piece(event.piece.as_ref(), "piece")?,
            from: read_place(event.from_hex.as_ref(), "from_hex")?,
            via: read_place_if(event.via.as_ref(), "via")?,
            to: read_place(event.to_hex.as_ref(), "to_hex")?,
            warp: event.warp,
        },
        Kind::ZoneCleared(event) => Event::ZoneCleared { at: read_place(event.at.as_ref(), "at")? },
        Kind::AsteroidsRolled(event) => Event::AsteroidsRolled {
            ship: read_ship(event.starship.as_ref(), "starship")?,
            die: read_die(event.die, "die")?,
        },
        Kind::WarpRolled(event) => Event::WarpRolled {
            ship: read_ship(event.starship.as_ref(), "starship")?,
            die: read_die(event.die, "die")?,
        },
        Kind::Disrupted(event) => Event::Disrupted { ship: read_ship(event.starship.as_ref(), "starship")? },
        Kind::Lost(event) => Event::Lost {
            piece: read_piece(event.piece.as_ref(), "piece")?,
            at: read_place(event.at.as_ref(), "at")?,
            cause: read_cause(event.cause)?,
        },
        Kind::BaseSettled(event) => {
            Event::Settled { base: read_base(event.base.as_ref(), "base")?, at: read_place(event.at.as_ref(), "at")? }
        }
        Kind::BattleRolled(event) => Event::BattleRolled {
            attacker: read_piece(event.attacker.as_ref(), "attacker")?,
            foe: read_target(event.foe.as_ref(), "foe")?,
            attack: read_die_if(event.attacker_die, "attacker_die")?,
            defence: read_die_if(event.defender_die, "defender_die")?,
        },
        Kind::Withdrew(event) => Event::Withdrew {
            piece: read_piece(event.piece.as_ref(), "piece")?,
            to: read_place(event.to.as_ref(), "to")?,
        },
        _ => return Ok(None),
    }))
}

fn read_planet(kind: &Kind) -> Found {
    Ok(Some(match kind {
        Kind::Noted(event) => Event::Noted {
            seat: read_player(event.seat, "seat")?,
            at: read_place(event.at.as_ref(), "at")?,
            marker: read_marker(event.marker, "marker")?,
            owner: read_player_if(event.owner, "owner")?,
        },
        Kind::FacedUp(event) => Event::FacedUp {
            at: read_place(event.at.as_ref(), "at")?,
            marker: read_marker(event.marker, "marker")?,
            owner: read_player_if(event.owner, "owner")?,
            by: read_player_if(event.by, "by")?,
        },
        Kind::Owned(event) => {
            Event::Owned { at: read_place(event.at.as_ref(), "at")?, owner: read_player_if(event.owner, "owner")? }
        }
        Kind::Gained(event) => {
            Event::Gained { seat: read_player(event.seat, "seat")?, at: read_place(event.at.as_ref(), "at")? }
        }
        Kind::Forfeited(event) => {
            Event::Forfeited { seat: read_player(event.seat, "seat")?, at: read_place(event.at.as_ref(), "at")? }
        }
        Kind::Marked(event) => {
            Event::Marked { seat: read_player(event.seat, "seat")?, at: read_place(event.at.as_ref(), "at")? }
        }
        Kind::Unmarked(event) => {
            Event::Unmarked { seat: read_player(event.seat, "seat")?, at: read_place(event.at.as_ref(), "at")? }
        }
        Kind::Given(event) => Event::Given {
            giver: read_player(event.giver, "giver")?,
            receiver: read_player(event.receiver, "receiver")?,
            at: read_place(event.at.as_ref(), "at")?,
        },
        Kind::Attempted(event) => read_attempted(event)?,
        _ => return Ok(None),
    }))
}

fn read_attempted(event: &proto::Attempted) -> Result<Event, Malformed> {
    let dice = match event.dice[..] {
        [only] => (read_die(only, "dice")?, None),
        [first, second] => (read_die(first, "dice")?, Some(read_die(second, "dice")?)),
        _ => return wrong("dice", "there are one or two dice"),
    };
    Ok(Event::Attempted {
        piece: read_piece(event.piece.as_ref(), "piece")?,
        at: read_place(event.at.as_ref(), "at")?,
        means: read_means(event.means, "means")?,
        owner: read_player_if(event.owner, "owner")?,
        dice,
        taken: event.taken,
    })
}

fn read_death_star(kind: &Kind) -> Found {
    Ok(Some(match kind {
        Kind::Ambushed(event) => {
            Event::Ambushed { piece: read_piece(event.piece.as_ref(), "piece")?, die: read_die(event.die, "die")? }
        }
        Kind::FiredAtDeathStar(event) => Event::FiredAtDeathStar {
            piece: read_piece(event.piece.as_ref(), "piece")?,
            die: read_die_if(event.die, "die")?,
        },
        Kind::DeathStarActivated(event) => Event::DeathStarActivated {
            at: read_place(event.at.as_ref(), "at")?,
            provoker: read_player(event.provoker, "provoker")?,
        },
        Kind::DeathStarDestroyed(event) => Event::DeathStarDestroyed {
            at: read_place(event.at.as_ref(), "at")?,
            seat: read_player(event.seat, "seat")?,
        },
        Kind::ZonePlaced(event) => Event::ZonePlaced { at: read_place(event.at.as_ref(), "at")? },
        Kind::ZoneStruck(event) => {
            Event::ZoneStruck { at: read_place(event.at.as_ref(), "at")?, die: read_die(event.die, "die")? }
        }
        Kind::ZoneBlocked(event) => Event::ZoneBlocked { at: read_place(event.at.as_ref(), "at")? },
        Kind::SourceSpent(event) => Event::SourceSpent {
            from: read_place(event.source.as_ref(), "source")?,
            to: read_place(event.to.as_ref(), "to")?,
        },
        _ => return Ok(None),
    }))
}

fn read_standing(kind: &Kind) -> Found {
    let word = |pledge: &Option<proto::Pledge>| read_pledge(Malformed::need(pledge.as_ref(), "pledge")?, "pledge");
    let two = |first: u32, second: u32| -> Result<_, Malformed> {
        Ok((read_player(first, "first")?, read_player(second, "second")?))
    };
    Ok(Some(match kind {
        Kind::ActOfWar(event) => {
            let (attacker, defender) = two(event.attacker, event.defender)?;
            Event::ActOfWar { attacker, defender }
        }
        Kind::PeaceMade(event) => {
            let (first, second) = two(event.first, event.second)?;
            Event::PeaceMade { first, second }
        }
        Kind::AxisNamed(event) => Event::AxisNamed { seat: read_player(event.seat, "seat")? },
        Kind::StatusChanged(event) => match read_status_if(event.status, event.round, "status")? {
            Some(status) => Event::StatusChanged { seat: read_player(event.seat, "seat")?, status },
            None => return wrong("status", "it is missing"),
        },
        Kind::Eliminated(event) => Event::Eliminated { seat: read_player(event.seat, "seat")? },
        Kind::Voted(event) => {
            let (seat, against) = two(event.seat, event.against)?;
            Event::Voted { seat, against, withdrawn: event.withdrawn }
        }
        Kind::Offered(event) => {
            let offer = Malformed::need(event.offer.as_ref(), "offer")?;
            let (from, to) = two(offer.from_seat, offer.to_seat)?;
            let agreement = read_agreement(offer.agreement, "offer.agreement")?;
            Event::Offered { from, to, agreement, retracted: event.retracted }
        }
        Kind::PartnershipMade(event) => {
            let (first, second) = two(event.first, event.second)?;
            Event::PartnershipMade { first, second }
        }
        Kind::PartnershipEnded(event) => {
            let (first, second) = two(event.first, event.second)?;
            Event::PartnershipEnded { first, second }
        }
        Kind::Pledged(event) => Event::Pledged { pledge: word(&event.pledge)? },
        Kind::PledgeEnded(event) => Event::PledgeEnded { pledge: word(&event.pledge)? },
        Kind::PledgeStrayed(event) => Event::PledgeStrayed { pledge: word(&event.pledge)? },
        Kind::PledgeBroken(event) => Event::PledgeBroken { pledge: word(&event.pledge)? },
        Kind::BreachSettled(event) => {
            let (breaker, offended) = two(event.breaker, event.offended)?;
            Event::BreachSettled { breach: Breach { breaker, offended } }
        }
        Kind::StarshipTransferred(event) => Event::Transferred {
            from: read_ship(event.old_piece.as_ref(), "old_piece")?,
            to: read_ship(event.new_piece.as_ref(), "new_piece")?,
        },
        _ => return Ok(None),
    }))
}
