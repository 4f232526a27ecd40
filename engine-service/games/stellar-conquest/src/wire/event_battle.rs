//! Events of battles.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;
use proto::event::Kind;

use super::battle::{
    SIDES, read_shots, read_stage, read_unit, read_volley, write_shots, write_stage, write_unit, write_volley,
};
use super::board::{read_fleet, write_fleet};
use super::names::{
    narrow, read_nths, read_place, read_planet, read_seat, read_unit_ids, read_word, write_nth, write_planet,
    write_unit_ids, write_word,
};
use super::{ROWS_MAX, battle, field, list, wrong};
use crate::battle::Side;
use crate::event::Event;

pub(super) fn read(kind: &Kind) -> Result<Event, Malformed> {
    match kind {
        Kind::BattleBegan(event) => {
            let battle = field("battle_began.battle", battle::read(event.battle.as_ref()))?;
            Ok(Event::BattleBegan { battle })
        }
        Kind::ColoniesAttacked(event) => field("colonies_attacked", read_attacked(event)),
        Kind::Aimed(event) => field("aimed", read_aimed(event)),
        Kind::RoundFought(event) => field("round_fought", read_round(event)),
        Kind::Seized(event) => field("seized", read_seized(event)),
        Kind::Repelled(event) => field("repelled", read_repelled(event)),
        Kind::BattleStageChanged(event) => {
            let stage = field("battle_stage_changed", read_stage(event.stage, &event.waiting))?;
            Ok(Event::BattleStageChanged { stage })
        }
        Kind::Withdrawing(event) => {
            let units = field("withdrawing", read_unit_ids("units", &event.units))?;
            Ok(Event::Withdrawing { units })
        }
        Kind::RefugeChosen(event) => field("refuge_chosen", read_refuge(event)),
        Kind::Conquered(event) => field("conquered", read_conquered(event)),
        Kind::BattleEnded(event) => field("battle_ended", read_ended(event)),
        _ => field("kind", wrong("the event is not known")),
    }
}

fn read_attacked(event: &proto::ColoniesAttacked) -> Result<Event, Malformed> {
    Ok(Event::ColoniesAttacked {
        planets: read_nths("planets", &event.planets)?,
        bases: list("bases", &event.bases, ROWS_MAX, read_unit)?,
        faltered: read_nths("faltered", &event.faltered)?,
    })
}

fn read_aimed(event: &proto::Aimed) -> Result<Event, Malformed> {
    Ok(Event::Aimed { seat: field("seat", read_seat(event.seat))?, shots: read_shots("shots", &event.shots)? })
}

fn read_round(event: &proto::RoundFought) -> Result<Event, Malformed> {
    Ok(Event::RoundFought {
        volleys: list("volleys", &event.volleys, ROWS_MAX, read_volley)?,
        destroyed: read_unit_ids("destroyed", &event.destroyed)?,
    })
}

fn read_seized(event: &proto::Seized) -> Result<Event, Malformed> {
    Ok(Event::Seized {
        volleys: list("volleys", &event.volleys, ROWS_MAX, read_volley)?,
        destroyed: read_unit_ids("destroyed", &event.destroyed)?,
    })
}

fn read_repelled(event: &proto::Repelled) -> Result<Event, Malformed> {
    let planet = field("planet", read_planet(event.planet.as_ref()))?;
    let rounds = field("rounds", narrow(event.rounds))?;
    Ok(Event::Repelled { seat: field("seat", read_seat(event.seat))?, planet, rounds })
}

fn read_refuge(event: &proto::RefugeChosen) -> Result<Event, Malformed> {
    Ok(Event::RefugeChosen {
        side: field("side", read_word(&SIDES, event.side))?,
        at: field("at", read_place(&event.at))?,
    })
}

fn read_conquered(event: &proto::Conquered) -> Result<Event, Malformed> {
    Ok(Event::Conquered {
        planet: field("planet", read_planet(event.planet.as_ref()))?,
        owner: field("owner", read_seat(event.owner))?,
        by: field("by", read_seat(event.by))?,
    })
}

fn read_ended(event: &proto::BattleEnded) -> Result<Event, Malformed> {
    let attacker = field("attacker", read_fleet(event.attacker.as_ref()))?;
    let defender = field("defender", read_fleet(event.defender.as_ref()))?;
    Ok(Event::BattleEnded { at: field("at", read_place(&event.at))?, left: [attacker, defender] })
}

/// Writes an event of a battle. Whatever else there is was written before.
pub(super) fn write(event: &Event) -> Kind {
    match event {
        Event::BattleBegan { battle } => Kind::BattleBegan(proto::BattleBegan { battle: Some(battle::write(battle)) }),
        Event::ColoniesAttacked { planets, bases, faltered } => Kind::ColoniesAttacked(proto::ColoniesAttacked {
            planets: planets.iter().copied().map(write_nth).collect(),
            bases: bases.iter().copied().map(write_unit).collect(),
            faltered: faltered.iter().copied().map(write_nth).collect(),
        }),
        Event::Aimed { seat, shots } => Kind::Aimed(proto::Aimed { seat: seat.number(), shots: write_shots(shots) }),
        Event::RoundFought { volleys, destroyed } => Kind::RoundFought(proto::RoundFought {
            volleys: volleys.iter().map(write_volley).collect(),
            destroyed: write_unit_ids(destroyed),
        }),
        Event::Seized { volleys, destroyed } => Kind::Seized(proto::Seized {
            volleys: volleys.iter().map(write_volley).collect(),
            destroyed: write_unit_ids(destroyed),
        }),
        Event::Repelled { seat, planet, rounds } => Kind::Repelled(proto::Repelled {
            seat: seat.number(),
            planet: Some(write_planet(*planet)),
            rounds: u32::from(*rounds),
        }),
        Event::BattleStageChanged { stage } => {
            let (stage, waiting) = write_stage(*stage);
            Kind::BattleStageChanged(proto::BattleStageChanged { stage, waiting })
        }
        Event::Withdrawing { units } => Kind::Withdrawing(proto::Withdrawing { units: write_unit_ids(units) }),
        Event::RefugeChosen { side, at } => {
            Kind::RefugeChosen(proto::RefugeChosen { side: write_word(&SIDES, *side), at: at.to_string() })
        }
        Event::Conquered { planet, owner, by } => Kind::Conquered(proto::Conquered {
            planet: Some(write_planet(*planet)),
            owner: owner.number(),
            by: by.number(),
        }),
        Event::BattleEnded { at, left } => Kind::BattleEnded(proto::BattleEnded {
            at: at.to_string(),
            attacker: Some(write_fleet(left[Side::Attacker.index()])),
            defender: Some(write_fleet(left[Side::Defender.index()])),
        }),
        other => unreachable!("{other:?} is written in another function"),
    }
}
