//! Rule 12: ship combat, from the choice of a hex to the dice of a round. What follows a round is in `withdrawal`.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::battle::assault::destroy_factories;
use crate::rules::battle::shields::seize;
use crate::rules::battle::withdrawal::{after_round, end_battle, lead_away, leave, next_round};
use crate::rules::campaign::seams::losses::{after_losses, count_destroyed};
use crate::rules::campaign::seams::turn::before_battles;
use crate::rules::colonies::change_colony;
use crate::rules::inspection::see_each_other;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::rules::turn::begin_planets;
use crate::state::battle::{Battle, BattleStage, Condition, Pursuit, Shot, Side, Subject, Unit, UnitId, Volley};
use crate::state::colony::{Bases, Colony};
use crate::state::event::{BattleEvent, Cause, Change, OwnEvent};
use crate::state::order::Order;
use crate::state::power::Eyes;
use crate::state::ship::{Ship, ShipNumber};
use crate::state::table::Stage;
use crate::tables::attack_table::{Arm, Odds};
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::ships::Fleet;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

impl Eyes<'_> {
    /// 12.1: the hexes in which this seat must still fight in its turn: its ships and ships of an enemy (`are_enemies`)
    /// stand there. Public knowledge.
    pub(crate) fn battle_hexes(&self) -> Vec<Place> {
        StarId::all().map(StarId::at).filter(|&at| self.table.meets_enemies(self.seat, at)).collect()
    }

    /// What a battle asks this seat.
    pub(crate) fn battle_prompt(&self) -> String {
        let Some(battle) = &self.table.battle else { return String::new() };
        let at = StarId::in_hex(battle.at).map_or_else(|| battle.at.to_string(), |star| star.to_string());
        match battle.stage {
            BattleStage::AttackerAims => format!("At {at}: choose at what your warships fire."),
            BattleStage::DefendersAim { .. } => format!("At {at}: you are attacked; choose at what you fire."),
            BattleStage::AttackerLeaves { forced: false } => format!("At {at}: choose which of your ships withdraw."),
            BattleStage::AttackerLeaves { forced: true } => {
                format!("At {at}: nobody has a warship, so your ships withdraw; choose where they are bound.")
            }
            BattleStage::DefenderLeaves { .. } => {
                format!("At {at}: the attacker stays; choose which of your ships withdraw.")
            }
            BattleStage::Refuge { .. } => format!("At {at}: choose the hex into which your enemy withdraws."),
            BattleStage::Beams { .. } => format!("At {at}: choose which ship your tractor beam seizes, if any."),
            BattleStage::Scuttle { .. } => format!("At {at}: choose which factories you destroy, if any."),
            BattleStage::GoesOn => format!("At {at}: attack for another round, or break off."),
        }
    }

    pub(crate) fn judge_fight(&self, at: Place) -> Verdict {
        self.may_act(Stage::Combat, "12.1")?;
        if self.battle_hexes().contains(&at) {
            return Ok(());
        }
        if let Some(star) = StarId::in_hex(at).filter(|_| self.table.has_ships(self.seat, at)) {
            self.judge_hostility(self.table.others_at(self.seat, at).next(), star)?;
        }
        refuse("no-battle-there", "12.1", format!("There is nobody to fight in {at}."))
    }

    /// 12.3, 13.4: own units that fight and can fire, each once, at units of the other side that fight.
    pub(crate) fn judge_aim(&self, shots: &[Shot]) -> Verdict {
        let battle = self.asked_in_battle("12.3")?;
        let beams = matches!(battle.stage, BattleStage::Beams { .. });
        if !beams && !matches!(battle.stage, BattleStage::AttackerAims | BattleStage::DefendersAim { .. }) {
            return refuse("wrong-step", "12.3", "No targets are chosen now.");
        }
        let mut fired = vec![false; battle.units.len()];
        for shot in shots {
            if beams {
                self.judge_beam(battle, *shot)?;
            } else {
                self.judge_shot(battle, *shot)?;
            }
            if std::mem::replace(&mut fired[shot.by.index()], true) {
                return refuse("fires-twice", "12.3", "Every warship and base has one shot a round.");
            }
        }
        self.judge_prescribed(battle, shots)
    }

    fn judge_shot(&self, battle: &Battle, shot: Shot) -> Verdict {
        let in_line = |unit: &&Unit| unit.is_fighting() && battle.takes_part(unit);
        let (Some(by), Some(at)) = (battle.unit(shot.by).filter(in_line), battle.unit(shot.at).filter(in_line)) else {
            return refuse("not-in-battle", "12.3", "Such a unit does not fight in this round.");
        };
        if by.owner != self.seat {
            return refuse("not-yours", "12.3", "That unit is not yours.");
        }
        if battle.side(at.owner) == battle.side(self.seat) {
            return refuse("own-side", "12.3", "Fire at the other side.");
        }
        if !self.fires(by.arm) {
            return refuse("unarmed", "12.4", "That unit does not fire.");
        }
        if battle.is_sheltered(at) {
            return refuse("shielded", "space-1.1", "A planet shield protects that base: fire at the shield.");
        }
        Ok(())
    }
}

/// Lets the battle wait for a decision.
pub(crate) fn wait_for(referee: &mut Referee<'_>, stage: BattleStage) {
    if referee.battle().stage != stage {
        referee.report_battle(BattleEvent::BattleStageChanged { stage });
    }
}

/// Step 3: begins the next battle; asks which if there are several; otherwise goes on to step 4 and 5.
pub(crate) fn next_battle(referee: &mut Referee<'_>) {
    if before_battles(referee) {
        return;
    }
    let seat = referee.table().active;
    match referee.eyes(seat).battle_hexes()[..] {
        [] => begin_planets(referee),
        [at] => begin_battle(referee, seat, at, Vec::new()),
        _ => referee.enter(Stage::Combat),
    }
}

/// 12.1, 12.2: lines of battle; both sides see each other (10). BR-11: the attacker may be somebody who withdrew, and
/// other battles may follow this one.
pub(crate) fn begin_battle(referee: &mut Referee<'_>, attacker: Seat, at: Place, pursuits: Vec<Pursuit>) {
    let table = referee.table();
    let enemy = |other: &Seat| table.campaign.are_enemies(attacker, *other, at);
    let Some(first) = table.others_at(attacker, at).find(enemy) else { return };
    let defends = |other: &Seat| enemy(other) && table.campaign.fight_together(first, *other);
    let defenders: Vec<Seat> = table.others_at(attacker, at).filter(defends).collect();
    for &defender in &defenders {
        see_each_other(referee, attacker, defender, at);
    }
    let seats: Vec<Seat> = std::iter::once(attacker).chain(defenders).collect();
    let battle = Battle { pursuits, ..Battle::new(at, attacker, Subject::Ships, Vec::new()) };
    open_battle(referee, &seats, battle);
    next_round(referee);
    advance_battle(referee);
}

/// Draws the ships of these seats up: by seat as they are given, then by kind, then by number.
pub(crate) fn open_battle(referee: &mut Referee<'_>, seats: &[Seat], battle: Battle) {
    let at = battle.at;
    let mut units = Vec::new();
    let mut engaged = Vec::new();
    for &seat in seats {
        let mut ships: Vec<Ship> = referee.power(seat).ships_at(at).copied().collect();
        ships.sort_unstable_by_key(|ship| (ship.kind(), ship.number));
        let unit = |ship: &Ship| Unit {
            owner: seat,
            arm: Arm::Ship(ship.kind()),
            planet: None,
            condition: Condition::Fighting,
        };
        units.extend(ships.iter().map(unit));
        engaged.push((seat, ships.iter().map(|ship| ship.number).collect::<Vec<ShipNumber>>()));
    }
    let battle = Battle { units, ..battle };
    referee.report(battle.participants(), BattleEvent::BattleBegan { battle });
    for (seat, ships) in engaged {
        referee.whisper(OwnEvent::Engaged { seat, ships });
    }
    referee.enter(Stage::Battle);
}

/// 12.3: takes a seat's shots; when all have aimed the round is fought.
pub(crate) fn aim(referee: &mut Referee<'_>, seat: Seat, shots: Vec<Shot>) {
    take_shots(referee, seat, shots);
    advance_battle(referee);
}

fn take_shots(referee: &mut Referee<'_>, seat: Seat, shots: Vec<Shot>) {
    if let BattleStage::Beams { waiting } = referee.battle().stage {
        return seize(referee, &shots, waiting.without(seat));
    }
    referee.report_battle(BattleEvent::Aimed { seat, shots });
    let battle = referee.battle();
    let waiting: SeatSet = if let BattleStage::DefendersAim { waiting } = battle.stage {
        waiting.without(seat)
    } else {
        battle.in_line(Side::Defender).map(|(_, unit)| unit.owner).collect()
    };
    if waiting.is_empty() {
        fight_round(referee);
        after_round(referee);
    } else {
        wait_for(referee, BattleStage::DefendersAim { waiting });
    }
}

/// 12.3 c, d; 12.5, 12.6: rolls all shots, attackers first, and removes what was hit.
pub(crate) fn fight_round(referee: &mut Referee<'_>) {
    let battle = referee.battle().clone();
    let mut volleys = Vec::with_capacity(battle.shots.len());
    let mut destroyed: Vec<UnitId> = Vec::new();
    let is_shield = |id| battle.unit(id).is_some_and(|unit| unit.arm == Arm::Shield);
    for side in [Side::Attacker, Side::Defender] {
        let of_side = |shot: &&Shot| battle.unit(shot.by).is_some_and(|unit| battle.side(unit.owner) == side);
        let mut shots: Vec<Shot> = battle.shots.iter().filter(of_side).copied().collect();
        shots.sort_unstable_by_key(|shot| shot.by);
        for shot in shots {
            let volley = fire(referee, &battle, shot, destroyed.contains(&shot.at));
            if volley.hit && !is_shield(shot.at) {
                destroyed.push(shot.at);
            }
            volleys.push(volley);
        }
    }
    destroyed.extend(battle.fallen(&battle.shields_after(&volleys, battle.rounds.saturating_add(1))));
    destroyed.sort_unstable();
    referee.report_battle(BattleEvent::RoundFought { volleys: volleys.clone(), destroyed: destroyed.clone() });
    count_destroyed(referee, &battle, &volleys, &destroyed);
    remove_ships(referee, &battle, &destroyed);
    remove_bases(referee, &battle, &destroyed);
}

/// 12.4 to 12.6: one shot. At what is hit already it is wasted, and not rolled.
pub(crate) fn fire(referee: &mut Referee<'_>, battle: &Battle, shot: Shot, wasted: bool) -> Volley {
    let mut volley = Volley { shot, dice: [0, 0], again: None, hit: false };
    let (Some(by), Some(at)) = (battle.unit(shot.by), battle.unit(shot.at)) else { return volley };
    let odds = referee.table().options.odds(by.arm, at.arm);
    if wasted || odds == Odds::Never {
        return volley;
    }
    // The hex, the round and the unit name the shot within the player-turn.
    let hex = (battle.at.index() as u64) << 32;
    let object = hex | (u64::from(battle.rounds) << 16) | u64::from(shot.by.0);
    volley.dice = throw(referee, object, odds, 0);
    volley.hit = odds.hits(volley.dice);
    if !volley.hit && fires_again(referee, *by) {
        let again = throw(referee, object, odds, 2);
        volley.again = Some(again);
        volley.hit = odds.hits(again);
    }
    volley
}

/// 12.6, 20: Improved Ship Weaponry fires once more; bases only by option, beams never (space 1.1).
fn fires_again(referee: &Referee<'_>, unit: Unit) -> bool {
    let arms = match unit.arm {
        Arm::Ship(_) => true,
        Arm::MissileBase | Arm::AdvancedMissileBase => referee.table().options.bases_use_improved_weaponry,
        Arm::Shield => false,
    };
    arms && referee.power(unit.owner).research.has(Tech::ImprovedShipWeaponry)
}

/// The dice of one throw. An attack that is broken off and resumed (BR-26), or a second battle in one hex (BR-11), begins
/// its rounds anew; what was decided in between tells their dice apart.
fn throw(referee: &mut Referee<'_>, object: u64, odds: Odds, first: u32) -> [u8; 2] {
    let decided = referee.game.decided.iter().fold(0_u32, |sum, &count| sum.wrapping_add(count));
    let mut dice = [0, 0];
    for (nth, die) in (first..).zip(&mut dice[..usize::from(odds.dice())]) {
        *die = referee.roll("battle", object, decided.wrapping_mul(4).wrapping_add(nth));
    }
    dice
}

/// 12.3 d: takes destroyed ships off the board.
pub(crate) fn remove_ships(referee: &mut Referee<'_>, battle: &Battle, destroyed: &[UnitId]) {
    for seat in battle.participants().iter() {
        let ships = ships_of(referee, seat, battle, destroyed);
        if ships.is_empty() {
            continue;
        }
        let power = referee.power(seat);
        let fleet: Fleet = ships.iter().filter_map(|&number| power.ship(number)).map(Ship::kind).collect();
        referee.whisper(OwnEvent::ShipsLost { seat, ships, cause: Cause::Battle });
        referee.show_groups(seat, battle.at);
        after_losses(referee, seat, fleet);
    }
}

/// The ships of a seat that are these units.
pub(crate) fn ships_of(referee: &Referee<'_>, seat: Seat, battle: &Battle, units: &[UnitId]) -> Vec<ShipNumber> {
    let engaged = &referee.power(seat).engaged;
    battle.places_of(seat, units).into_iter().filter_map(|place| engaged.get(place).copied()).collect()
}

/// 13.7: a base that is destroyed stays so.
fn remove_bases(referee: &mut Referee<'_>, battle: &Battle, destroyed: &[UnitId]) {
    let Some(star) = StarId::in_hex(battle.at) else { return };
    let mut hit: Vec<(Seat, u8, Bases, bool)> = Vec::new();
    for unit in destroyed.iter().filter_map(|&id| battle.unit(id)) {
        let Some(nth) = unit.planet else { continue };
        if !hit.iter().any(|(_, planet, ..)| *planet == nth) {
            hit.push((unit.owner, nth, Bases::NONE, false));
        }
        for (_, _, bases, shield) in hit.iter_mut().filter(|(_, planet, ..)| *planet == nth) {
            match unit.arm {
                Arm::MissileBase => bases.missile += 1,
                Arm::AdvancedMissileBase => bases.advanced += 1,
                Arm::Shield => *shield = true,
                Arm::Ship(_) => {}
            }
        }
    }
    for (owner, nth, lost, shield) in hit {
        let Some(&colony) = referee.power(owner).colony(PlanetId { star, nth }) else { continue };
        let bases = Bases {
            missile: colony.bases.missile.saturating_sub(lost.missile),
            advanced: colony.bases.advanced.saturating_sub(lost.advanced),
        };
        let shield = colony.shield && !shield;
        change_colony(referee, owner, Colony { bases, shield, ..colony }, Change::Bombarded);
    }
}

/// Lets the battle ask; whoever has standing orders, or no choice, is answered for at once, and so on until somebody must
/// be asked.
pub(crate) fn advance_battle(referee: &mut Referee<'_>) {
    while let Some((seat, answer)) = standing_answer(referee) {
        take_answer(referee, seat, answer);
    }
}

fn standing_answer(referee: &Referee<'_>) -> Option<(Seat, Order)> {
    let waiting = referee.table().battle.as_ref()?.waits_for();
    waiting.iter().find_map(|seat| referee.eyes(seat).standing_answer().map(|answer| (seat, answer)))
}

/// Takes an answer that the battle waits for.
pub(crate) fn take_answer(referee: &mut Referee<'_>, seat: Seat, answer: Order) {
    match answer {
        Order::Aim { shots } => take_shots(referee, seat, shots),
        Order::Withdraw { groups } => leave(referee, seat, &groups),
        Order::SendTo { at } => lead_away(referee, at),
        Order::Scuttle { factories } => destroy_factories(referee, seat, &factories),
        Order::BreakOff => end_battle(referee),
        Order::Outfit(_)
        | Order::Standing(_)
        | Order::Watch { .. }
        | Order::Inspect { .. }
        | Order::Recall { .. }
        | Order::Move(_)
        | Order::Form { .. }
        | Order::Post { .. }
        | Order::EndMovement
        | Order::Fight { .. }
        | Order::Attack { .. }
        | Order::Raze { .. }
        | Order::Kill { .. }
        | Order::Land { .. }
        | Order::EndTurn
        | Order::Raid(_)
        | Order::Place { .. }
        | Order::Decree(_)
        | Order::Produce(_) => debug_assert!(false, "a battle asks for nothing else"),
    }
}
