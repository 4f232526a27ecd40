//! The parts that positions and views share: the table, and what one seat alone knows.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::starships_at_large::v1 as proto;

use super::names::{
    read_agreement, read_base_number, read_die, read_piece, read_place, read_place_if, read_places, read_player,
    read_promise, read_target, read_u8, write_agreement, write_piece, write_place, write_places, write_promise,
    write_seat, write_target,
};
use super::{options, wrong};
use crate::board::Place;
use crate::knowledge::{Owed, Own, Pledge};
use crate::order::{Agreement, Means};
use crate::pieces::{Base, BaseId, Condition, Done, Piece, Serial, Ship, ShipId, Station};
use crate::table::{
    Battle, Breach, Credits, DeathStar, EndReason, Ending, HiddenRoll, MOST_PLAYERS, Purpose, Resume, Stage, Status,
    Table,
};

/// Writes the table; hexes and what is private are left to the caller.
pub(super) fn write_table(table: &Table) -> proto::Position {
    proto::Position {
        version: 1,
        options: Some(options::write(&table.options)),
        hexes: Vec::new(),
        players: table.seats().map(|seat| write_player(table, seat)).collect(),
        turn_order: table.order.iter().copied().map(write_seat).collect(),
        round: table.round.into(),
        on_turn: write_seat(table.active),
        wars: write_pairs(&table.wars, |one, other| one < other),
        provocations: write_pairs(&table.provoked_by, |_, _| true),
        exile_votes: flip(write_pairs(&table.votes, |_, _| true)),
        partnerships: write_partnerships(table),
        offers: Vec::new(),
        pledges: Vec::new(),
        death_star: Some(write_death_star(table.death_star)),
        aggressor_axis: table.axis,
        stage: Some(write_stage(table.stage)),
        broken_words: table.broken.iter().copied().map(write_breach).collect(),
        death_star_private: None,
        battle_rounds: table.battle_rounds.into(),
        decided: Vec::new(),
        hidden_rolls: Vec::new(),
        revealed_rolls: table.revealed.iter().copied().map(write_hidden_roll).collect(),
    }
}

fn write_pairs(sets: &[SeatSet], keep: impl Fn(Seat, Seat) -> bool) -> Vec<proto::Pair> {
    let mut pairs = Vec::new();
    for (index, set) in sets.iter().enumerate() {
        let first = Seat::at(index);
        for second in set.iter().filter(|&second| keep(first, second)) {
            pairs.push(proto::Pair { first: first.number(), second: second.number() });
        }
    }
    pairs
}

fn flip(pairs: Vec<proto::Pair>) -> Vec<proto::Pair> {
    pairs.into_iter().map(|pair| proto::Pair { first: pair.second, second: pair.first }).collect()
}

fn write_partnerships(table: &Table) -> Vec<proto::Pair> {
    let partners = table.seats().filter_map(|seat| table.partner[seat.index()].map(|partner| (seat, partner)));
    let once = partners.filter(|(seat, partner)| seat < partner);
    once.map(|(seat, partner)| proto::Pair { first: seat.number(), second: partner.number() }).collect()
}

fn write_player(table: &Table, seat: Seat) -> proto::Player {
    let (status, exiled_in_round) = write_status(table.status[seat.index()]);
    proto::Player {
        status,
        exiled_in_round,
        bases: table.bases_of(seat).copied().map(write_base).collect(),
        starships: table.ships_of(seat).map(write_starship).collect(),
        next_serial: table.next_serial[seat.index()].into(),
        secrets: None,
    }
}

pub(super) fn write_status(status: Status) -> (i32, u32) {
    match status {
        Status::Alliance => (proto::Status::Alliance.into(), 0),
        Status::Exiled { round } => (proto::Status::Exiled.into(), round.into()),
        Status::Independent => (proto::Status::Independent.into(), 0),
        Status::Eliminated => (proto::Status::Eliminated.into(), 0),
    }
}

/// A standing; `None` if it is not given.
pub(super) fn read_status_if(status: i32, round: u32, field: &str) -> Result<Option<Status>, Malformed> {
    Ok(match proto::Status::try_from(status) {
        Ok(proto::Status::Unspecified) => None,
        Ok(proto::Status::Alliance) => Some(Status::Alliance),
        Ok(proto::Status::Exiled) => Some(Status::Exiled { round: read_u8(round, field)? }),
        Ok(proto::Status::Independent) => Some(Status::Independent),
        Ok(proto::Status::Eliminated) => Some(Status::Eliminated),
        Err(_) => return wrong(field, "there is no such standing"),
    })
}

fn write_starship(ship: &Ship) -> proto::Starship {
    proto::Starship {
        serial: ship.id.serial.0.into(),
        at: Some(write_place(ship.at)),
        disrupted: ship.condition.is_disrupted(),
        disrupted_this_turn: ship.condition == Condition::JustDisrupted,
        moved_from: ship.done.moved_from.map(write_place),
        withdrew: ship.done.withdrew,
        attempted: false,
    }
}

fn write_base(base: Base) -> proto::Base {
    proto::Base {
        number: base.id.number.number().into(),
        at: Some(write_place(base.at)),
        out: base.is_out(),
        turns_out: match base.station {
            Station::Settled => 0,
            Station::Out(turns) => turns.into(),
        },
        moved_from: base.done.moved_from.map(write_place),
        withdrew: base.done.withdrew,
        attempted: false,
    }
}

fn write_death_star(star: DeathStar) -> proto::DeathStar {
    let (state, provoker, activated_this_turn) = match star {
        DeathStar::Undisturbed => (proto::DeathStarState::Undisturbed, 0, false),
        DeathStar::Active { provoker, just_now } => (proto::DeathStarState::Active, provoker.number(), just_now),
        DeathStar::Gone => (proto::DeathStarState::Gone, 0, false),
    };
    proto::DeathStar { state: state.into(), provoker, activated_this_turn }
}

/// The Death Star; `None` if its state is not given.
fn read_death_star(star: &proto::DeathStar) -> Result<Option<DeathStar>, Malformed> {
    Ok(match proto::DeathStarState::try_from(star.state) {
        Ok(proto::DeathStarState::Unspecified) => None,
        Ok(proto::DeathStarState::Undisturbed) => Some(DeathStar::Undisturbed),
        Ok(proto::DeathStarState::Active) => Some(DeathStar::Active {
            provoker: read_player(star.provoker, "death_star.provoker")?,
            just_now: star.activated_this_turn,
        }),
        Ok(proto::DeathStarState::Gone) => Some(DeathStar::Gone),
        Err(_) => return wrong("death_star.state", "there is no such state"),
    })
}

pub(super) fn write_breach(breach: Breach) -> proto::Breach {
    proto::Breach { breaker: breach.breaker.number(), offended: breach.offended.number() }
}

pub(super) fn write_ending(ending: Ending) -> proto::Ending {
    let reason = match ending.reason {
        EndReason::LivePlanets => proto::EndReason::LivePlanets,
        EndReason::MostPlanets => proto::EndReason::MostPlanets,
        EndReason::NoWinner => proto::EndReason::NoWinner,
        EndReason::AllOut => proto::EndReason::AllOut,
        EndReason::DeathStar => proto::EndReason::DeathStar,
    };
    let credits = ending.credits.all().iter().map(|&credits| credits.into()).collect();
    proto::Ending { reason: reason.into(), credits }
}

pub(super) fn read_ending(ending: &proto::Ending, field: &str) -> Result<Ending, Malformed> {
    let reason = match proto::EndReason::try_from(ending.reason) {
        Ok(proto::EndReason::LivePlanets) => EndReason::LivePlanets,
        Ok(proto::EndReason::MostPlanets) => EndReason::MostPlanets,
        Ok(proto::EndReason::NoWinner) => EndReason::NoWinner,
        Ok(proto::EndReason::AllOut) => EndReason::AllOut,
        Ok(proto::EndReason::DeathStar) => EndReason::DeathStar,
        _ => return wrong(field, "say why the game ended"),
    };
    if ending.credits.len() > MOST_PLAYERS {
        return wrong(field, "there are more credits than players");
    }
    let mut credits = Credits::none(ending.credits.len());
    for (seat, &number) in Seat::first(MOST_PLAYERS).zip(&ending.credits) {
        credits.give(seat, read_u8(number, field)?);
    }
    Ok(Ending { reason, credits })
}

pub(super) fn write_stage(stage: Stage) -> proto::Stage {
    use proto::stage::Kind;
    let kind = match stage {
        Stage::Turn => Kind::Turn(proto::TurnStage {}),
        Stage::Battle(battle) => Kind::Battle(proto::Battle {
            attacker: Some(write_piece(battle.attacker)),
            foe: Some(write_target(battle.foe)),
            met: battle.met,
        }),
        Stage::Zones { met_by } => Kind::Zones(proto::ZonesStage { met_by: Some(write_piece(met_by)) }),
        Stage::Growth => Kind::Growth(proto::GrowthStage {}),
        Stage::Word { planet, resume } => {
            Kind::Word(proto::WordStage { planet, at_end_of_round: resume == Resume::EndOfRound })
        }
        Stage::Over(ending) => Kind::Over(write_ending(ending)),
    };
    proto::Stage { kind: Some(kind) }
}

pub(super) fn read_stage(stage: &proto::Stage, field: &str) -> Result<Stage, Malformed> {
    use proto::stage::Kind;
    Ok(match &stage.kind {
        None | Some(Kind::Turn(_)) => Stage::Turn,
        Some(Kind::Battle(battle)) => Stage::Battle(Battle {
            attacker: read_piece(battle.attacker.as_ref(), field)?,
            foe: read_target(battle.foe.as_ref(), field)?,
            met: battle.met,
        }),
        Some(Kind::Zones(zones)) => Stage::Zones { met_by: read_piece(zones.met_by.as_ref(), field)? },
        Some(Kind::Growth(_)) => Stage::Growth,
        Some(Kind::Word(word)) => Stage::Word {
            planet: word.planet,
            resume: if word.at_end_of_round { Resume::EndOfRound } else { Resume::Turn },
        },
        Some(Kind::Over(ending)) => Stage::Over(read_ending(ending, field)?),
    })
}

pub(super) fn write_hidden_roll(roll: HiddenRoll) -> proto::HiddenRoll {
    let purpose = match roll.purpose {
        Purpose::Asteroids => proto::RollPurpose::Asteroids,
        Purpose::Ambush => proto::RollPurpose::Ambush,
        Purpose::Fire => proto::RollPurpose::Fire,
        Purpose::Attempt(Means::Diplomacy) => proto::RollPurpose::Diplomacy,
        Purpose::Attempt(Means::Force) => proto::RollPurpose::Force,
    };
    proto::HiddenRoll {
        round: roll.round.into(),
        piece: Some(write_piece(roll.piece)),
        at: Some(write_place(roll.at)),
        purpose: purpose.into(),
        dice: [Some(roll.dice.0), roll.dice.1].into_iter().flatten().map(u32::from).collect(),
    }
}

pub(super) fn read_hidden_roll(roll: &proto::HiddenRoll, field: &str) -> Result<HiddenRoll, Malformed> {
    let purpose = match proto::RollPurpose::try_from(roll.purpose) {
        Ok(proto::RollPurpose::Asteroids) => Purpose::Asteroids,
        Ok(proto::RollPurpose::Ambush) => Purpose::Ambush,
        Ok(proto::RollPurpose::Fire) => Purpose::Fire,
        Ok(proto::RollPurpose::Diplomacy) => Purpose::Attempt(Means::Diplomacy),
        Ok(proto::RollPurpose::Force) => Purpose::Attempt(Means::Force),
        Ok(proto::RollPurpose::Unspecified) | Err(_) => return wrong(field, "there is no such purpose"),
    };
    let dice = match roll.dice[..] {
        [only] => (read_die(only, field)?, None),
        [first, second] => (read_die(first, field)?, Some(read_die(second, field)?)),
        _ => return wrong(field, "there are one or two dice"),
    };
    let (piece, at) = (read_piece(roll.piece.as_ref(), field)?, read_place(roll.at.as_ref(), field)?);
    Ok(HiddenRoll { round: read_u8(roll.round, field)?, piece, at, purpose, dice })
}

pub(super) fn read_hidden_rolls(rolls: &[proto::HiddenRoll], field: &str) -> Result<Vec<HiddenRoll>, Malformed> {
    rolls.iter().map(|roll| read_hidden_roll(roll, field)).collect()
}

pub(super) fn write_pledge(pledge: Pledge) -> proto::Pledge {
    proto::Pledge {
        giver: pledge.giver.number(),
        receiver: pledge.receiver.number(),
        promise: Some(write_promise(pledge.promise)),
        until_round: pledge.until.into(),
        strayed: pledge.strayed,
    }
}

pub(super) fn read_pledge(pledge: &proto::Pledge, field: &str) -> Result<Pledge, Malformed> {
    Ok(Pledge {
        giver: read_player(pledge.giver, field)?,
        receiver: read_player(pledge.receiver, field)?,
        promise: read_promise(pledge.promise.as_ref(), field)?,
        until: read_u8(pledge.until_round, field)?,
        strayed: pledge.strayed,
    })
}

pub(super) fn write_owed(owed: Owed) -> proto::Owed {
    use proto::owed::Kind;
    let kind = match owed {
        Owed::Fire(piece) => Kind::Fire(write_piece(piece)),
        Owed::Sacrifice(count) => Kind::Sacrifice(count.into()),
        Owed::ChooseShip(breaker) => Kind::ChooseStarshipOf(breaker.number()),
        Owed::ChoosePlanet(breaker) => Kind::ChoosePlanetOf(breaker.number()),
        Owed::CedePlanet(offended) => Kind::CedePlanetTo(offended.number()),
        Owed::Zones { left, .. } => Kind::Zones(left.into()),
        Owed::Growth { sources, entered, barred } => Kind::Growth(proto::Growth {
            sources: write_places(sources),
            entered: write_places(entered),
            barred: write_places(barred),
        }),
    };
    let zone_entered = match owed {
        Owed::Zones { entered, .. } => entered.map(write_place),
        _ => None,
    };
    proto::Owed { kind: Some(kind), zone_entered }
}

pub(super) fn read_owed_if(owed: Option<&proto::Owed>, field: &str) -> Result<Option<Owed>, Malformed> {
    use proto::owed::Kind;
    let Some(owed) = owed else { return Ok(None) };
    Ok(Some(match Malformed::need(owed.kind.as_ref(), field)? {
        Kind::Fire(piece) => Owed::Fire(read_piece(Some(piece), field)?),
        Kind::Sacrifice(count) => Owed::Sacrifice(read_u8(*count, field)?),
        Kind::ChooseStarshipOf(seat) => Owed::ChooseShip(read_player(*seat, field)?),
        Kind::ChoosePlanetOf(seat) => Owed::ChoosePlanet(read_player(*seat, field)?),
        Kind::CedePlanetTo(seat) => Owed::CedePlanet(read_player(*seat, field)?),
        Kind::Zones(left) => {
            Owed::Zones { left: read_u8(*left, field)?, entered: read_place_if(owed.zone_entered.as_ref(), field)? }
        }
        Kind::Growth(growth) => Owed::Growth {
            sources: read_places(&growth.sources, field)?,
            entered: read_places(&growth.entered, field)?,
            barred: read_places(&growth.barred, field)?,
        },
    }))
}

/// Adds what one seat alone knows: its private part, its attempts, offers and pledges that are not there yet.
pub(super) fn write_own(position: &mut proto::Position, seat: Seat, own: &Own) {
    let private = proto::Private {
        gained: write_places(own.gained),
        arrivals: own.arrivals.map(u32::from),
        owes: own.owes.map(write_owed),
    };
    if let Some(player) = position.players.get_mut(seat.index()) {
        player.secrets = Some(private);
        for &piece in &own.attempted {
            write_attempted(player, piece);
        }
    } else {
        position.death_star_private = Some(private);
    }
    for agreement in [Agreement::Peace, Agreement::Partnership] {
        let offers = own.offers(agreement);
        let made = offers.made.iter().map(|to| (seat, to));
        for (from, to) in made.chain(offers.got.iter().map(|from| (from, seat))) {
            let offer = write_offer(from, to, agreement);
            if !position.offers.contains(&offer) {
                position.offers.push(offer);
            }
        }
    }
    for pledge in own.pledges.iter().copied().map(write_pledge) {
        if !position.pledges.contains(&pledge) {
            position.pledges.push(pledge);
        }
    }
}

fn write_attempted(player: &mut proto::Player, piece: Piece) {
    match piece {
        Piece::Ship(id) => {
            let found = player.starships.iter_mut().find(|ship| ship.serial == u32::from(id.serial.0));
            if let Some(ship) = found {
                ship.attempted = true;
            }
        }
        Piece::Base(id) => {
            let found = player.bases.iter_mut().find(|base| base.number == u32::from(id.number.number()));
            if let Some(base) = found {
                base.attempted = true;
            }
        }
    }
}

pub(super) fn write_offer(from: Seat, to: Seat, agreement: Agreement) -> proto::StandingOffer {
    proto::StandingOffer { from_seat: from.number(), to_seat: to.number(), agreement: write_agreement(agreement) }
}

/// Reads the table; hexes are left to the caller. Pieces that are left out stand as at the start.
pub(super) fn read_table(message: &proto::Position) -> Result<Table, Malformed> {
    if message.version > 1 {
        return wrong("version", "this version is not known");
    }
    let read_options = message.options.unwrap_or_default();
    let options = options::read(&read_options)
        .map_err(|fault| Malformed { field: format!("options.{}", fault.field).into(), ..fault })?;
    let players = message.players.len();
    if !(1..=MOST_PLAYERS).contains(&players) {
        return wrong("players", "one to six players can play");
    }
    let mut table = Table::start(options, players);
    for (index, player) in message.players.iter().enumerate() {
        read_player_pieces(&mut table, Seat::at(index), player)?;
    }
    table.ships.sort_by_key(|ship| ship.id);
    table.bases.sort_by_key(|base| base.id);
    if !message.turn_order.is_empty() {
        let seats = message.turn_order.iter().map(|&seat| read_player_of(seat, players, "turn_order"));
        table.order = seats.collect::<Result<_, _>>()?;
    }
    table.round = if message.round == 0 { 1 } else { read_u8(message.round, "round")? };
    read_relations(&mut table, message)?;
    if let Some(star) = message.death_star.as_ref().map_or(Ok(None), read_death_star)? {
        table.death_star = star;
    }
    table.axis = message.aggressor_axis;
    if let Some(stage) = &message.stage {
        table.stage = read_stage(stage, "stage")?;
    }
    table.revealed = read_hidden_rolls(&message.revealed_rolls, "revealed_rolls")?;
    table.battle_rounds = match u16::try_from(message.battle_rounds) {
        Ok(rounds) => rounds,
        Err(_) => return wrong("battle_rounds", "the number is too large"),
    };
    table.active = match message.on_turn {
        0 => table.order.iter().copied().find(|&seat| table.is_alive(seat)).unwrap_or(table.order[0]),
        number => read_player_of(number, players, "on_turn")?,
    };
    Ok(table)
}

/// A player of a table with so many players.
fn read_player_of(number: u32, players: usize, field: &str) -> Result<Seat, Malformed> {
    let seat = read_player(number, field)?;
    if seat.index() < players { Ok(seat) } else { wrong(field, "there is no such player") }
}

fn read_pairs(
    pairs: &[proto::Pair],
    players: usize,
    field: &str,
    mut keep: impl FnMut(Seat, Seat),
) -> Result<(), Malformed> {
    for pair in pairs {
        keep(read_player_of(pair.first, players, field)?, read_player_of(pair.second, players, field)?);
    }
    Ok(())
}

fn read_relations(table: &mut Table, message: &proto::Position) -> Result<(), Malformed> {
    let players = table.players();
    read_pairs(&message.wars, players, "wars", |one, other| {
        table.wars[one.index()].insert(other);
        table.wars[other.index()].insert(one);
    })?;
    read_pairs(&message.provocations, players, "provocations", |one, by| {
        table.provoked_by[one.index()].insert(by);
    })?;
    read_pairs(&message.exile_votes, players, "exile_votes", |voter, against| {
        table.votes[against.index()].insert(voter);
    })?;
    read_pairs(&message.partnerships, players, "partnerships", |one, other| {
        table.partner[one.index()] = Some(other);
        table.partner[other.index()] = Some(one);
    })?;
    for breach in &message.broken_words {
        table.broken.push(Breach {
            breaker: read_player_of(breach.breaker, players, "broken_words")?,
            offended: read_player_of(breach.offended, players, "broken_words")?,
        });
    }
    Ok(())
}

fn read_player_pieces(table: &mut Table, seat: Seat, player: &proto::Player) -> Result<(), Malformed> {
    let field = format!("players[{}]", seat.index());
    let status = read_status_if(player.status, player.exiled_in_round, &field)?;
    let as_at_start = status.is_none() && player.bases.is_empty() && player.starships.is_empty();
    if let Some(status) = status {
        table.status[seat.index()] = status;
    }
    if !as_at_start {
        table.ships.retain(|ship| ship.id.owner != seat);
        read_ships(table, seat, player, &format!("{field}.starships"))?;
        if !player.bases.is_empty() || status == Some(Status::Eliminated) {
            table.bases.retain(|base| base.id.owner != seat);
            read_bases(table, seat, player, &format!("{field}.bases"))?;
        }
        if status.is_none() {
            let on_earth = table.bases_of(seat).any(|base| base.at == Place::EARTH && !base.is_out());
            table.status[seat.index()] = if on_earth { Status::Alliance } else { Status::Independent };
        }
    }
    if player.next_serial > 0 {
        table.next_serial[seat.index()] = match u16::try_from(player.next_serial) {
            Ok(serial) => serial,
            Err(_) => return wrong(&format!("{field}.next_serial"), "the number is too large"),
        };
    }
    Ok(())
}

/// Starships without a serial get the first one that is free after those before them.
fn read_ships(table: &mut Table, seat: Seat, player: &proto::Player, field: &str) -> Result<(), Malformed> {
    let mut highest = 0;
    for ship in &player.starships {
        let serial = match u16::try_from(ship.serial) {
            Ok(0) => highest + 1,
            Ok(serial) if serial < u16::MAX - 1 => serial,
            _ => return wrong(field, "there is no such serial"),
        };
        highest = highest.max(serial);
        let condition = match (ship.disrupted, ship.disrupted_this_turn) {
            (_, true) => Condition::JustDisrupted,
            (true, false) => Condition::Disrupted,
            (false, false) => Condition::Fit,
        };
        let done = Done { moved_from: read_place_if(ship.moved_from.as_ref(), field)?, withdrew: ship.withdrew };
        let at = read_place_if(ship.at.as_ref(), field)?.unwrap_or(Place::EARTH);
        table.ships.push(Ship { id: ShipId { owner: seat, serial: Serial(serial) }, at, condition, done });
    }
    table.next_serial[seat.index()] = highest + 1;
    Ok(())
}

fn read_bases(table: &mut Table, seat: Seat, player: &proto::Player, field: &str) -> Result<(), Malformed> {
    for (index, base) in player.bases.iter().enumerate() {
        let number = if base.number == 0 { index as u32 + 1 } else { base.number };
        let number = read_base_number(number, field)?;
        let turns = read_u8(base.turns_out, field)?;
        let station = if base.out { Station::Out(turns) } else { Station::Settled };
        let done = Done { moved_from: read_place_if(base.moved_from.as_ref(), field)?, withdrew: base.withdrew };
        let at = read_place_if(base.at.as_ref(), field)?.unwrap_or(Place::EARTH);
        table.bases.push(Base { id: BaseId { owner: seat, number }, at, station, done });
    }
    Ok(())
}

/// Reads what one seat alone knows but for its notes and planets, which stand with the hexes.
pub(super) fn read_own(message: &proto::Position, table: &Table, seat: Seat) -> Result<Own, Malformed> {
    let mut own = Own::new();
    let field = format!("players[{}].private", seat.index());
    let private = match message.players.get(seat.index()) {
        Some(player) => player.secrets.as_ref(),
        None => message.death_star_private.as_ref(),
    };
    if let Some(private) = private {
        own.gained = read_places(&private.gained, &format!("{field}.gained"))?;
        let arrivals = private.arrivals.map(|left| read_u8(left, &format!("{field}.arrivals"))).transpose()?;
        own.arrivals = arrivals.filter(|&left| left > 0);
        own.owes = read_owed_if(private.owes.as_ref(), &format!("{field}.owes"))?;
    }
    if let Some(player) = message.players.get(seat.index()) {
        let ships = table.ships_of(seat).map(|ship| Piece::Ship(ship.id));
        let tried = |piece: &Piece| player.has_attempted(*piece);
        own.attempted = ships.chain(table.bases_of(seat).map(|base| Piece::Base(base.id))).filter(tried).collect();
    }
    for offer in &message.offers {
        let (from, to) = (read_player(offer.from_seat, "offers")?, read_player(offer.to_seat, "offers")?);
        let offers = own.offers_mut(read_agreement(offer.agreement, "offers")?);
        if from == seat {
            offers.made.insert(to);
        } else if to == seat {
            offers.got.insert(from);
        }
    }
    for pledge in &message.pledges {
        let pledge = read_pledge(pledge, "pledges")?;
        if pledge.giver == seat || pledge.receiver == seat {
            own.pledges.push(pledge);
        }
    }
    own.pledges.sort();
    Ok(own)
}

trait HasAttempted {
    fn has_attempted(&self, piece: Piece) -> bool;
}

impl HasAttempted for proto::Player {
    /// Whether a piece is marked as having tried; serials that are left out were filled in by order.
    fn has_attempted(&self, piece: Piece) -> bool {
        match piece {
            Piece::Ship(id) => {
                self.starships.iter().any(|ship| ship.attempted && ship.serial == u32::from(id.serial.0))
            }
            Piece::Base(id) => {
                let number = u32::from(id.number.number());
                let is_it = |index: usize, base: &proto::Base| {
                    base.number == number || (base.number == 0 && index as u32 + 1 == number)
                };
                self.bases.iter().enumerate().any(|(index, base)| base.attempted && is_it(index, base))
            }
        }
    }
}

/// What a hex message says, beside its marker.
pub(super) fn read_hex_place(hexagon: &proto::Hexagon) -> Result<Place, Malformed> {
    read_place(hexagon.hex.as_ref(), "hexes.hex")
}
