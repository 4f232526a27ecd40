//! Rule 6: starship combat, and attacks on bases and on the Death Star.

use heliopause_kernel::Seat;

use crate::board::Place;
use crate::describe::{object, subject};
use crate::event::{BattleEvent, Cause, DeathStarEvent, MoveEvent};
use crate::judge::{Verdict, refuse};
use crate::knowledge::SeatView;
use crate::markers::Marker;
use crate::pieces::{Base, Condition, Piece, Target};
use crate::referee::Referee;
use crate::table::{Battle, DeathStar, Stage, Status, Table};

struct Round {
    attacker_lost: bool,
    foe_lost: bool,
}

impl Table {
    /// Returns the owner's next piece to defend a hex (R29). Undisrupted starships come first, by
    /// highest serial, then a base that is out, then Disrupted starships. `None` if no such piece
    /// is there.
    pub(crate) fn defender(&self, owner: Seat, at: Place) -> Option<Piece> {
        self.fit_defender(owner, at).or_else(|| {
            self.ships_of(owner).rfind(|ship| ship.at == at).map(|ship| Piece::Ship(ship.id))
        })
    }

    pub(crate) fn fit_defender(&self, owner: Seat, at: Place) -> Option<Piece> {
        let fit =
            self.ships_of(owner).rfind(|ship| ship.at == at && ship.condition == Condition::Fit);
        let out = || self.bases_of(owner).find(|base| base.at == at && base.is_out());
        fit.map(|ship| Piece::Ship(ship.id)).or_else(|| out().map(|base| Piece::Base(base.id)))
    }

    /// Returns the next piece in the hex whose owner is at war with the mover, or `None` (R29). The
    /// owners are checked in turn order after the mover.
    pub(crate) fn next_enemy(&self, mover: Seat, at: Place) -> Option<Piece> {
        if self.wars[mover.index()].is_empty() {
            return None;
        }
        self.order_after(mover)
            .filter(|&owner| self.at_war(mover, owner))
            .find_map(|owner| self.defender(owner, at))
    }
}

impl SeatView<'_> {
    /// Checks whether this player may attack another player (rule 7, R35).
    pub(crate) fn may_attack(&self, target: Seat) -> Verdict {
        if target == self.seat {
            return refuse("your-own", "6", "You cannot attack your own pieces.");
        }
        match self.table.status(self.seat) {
            Some(Status::Exiled { .. }) => {
                refuse("exiled", "R35", "An Exile cannot attack while their base is on Earth.")
            }
            Some(Status::Alliance) if self.table.is_member(target) => refuse(
                "fellow-member",
                "R35",
                "Members cannot attack each other: leave Earth first.",
            ),
            Some(Status::Alliance) => self.may_attack_as_member(target),
            _ => Ok(()),
        }
    }

    fn may_attack_as_member(&self, target: Seat) -> Verdict {
        let provoked = self.table.provoked_by[self.seat.index()].contains(target);
        let first = self.table.options.first_round_of_unprovoked_attacks;
        if provoked || self.table.round >= first {
            return Ok(());
        }
        refuse("unprovoked", "7", format!("Members cannot attack unprovoked before round {first}."))
    }

    pub(crate) fn judge_attack(&self, piece: Piece, target: Target) -> Verdict {
        self.may_act()?;
        let at = self.ready(piece)?;
        if self.table.is_disrupted(piece) {
            return refuse("disrupted", "4", format!("{piece} is Disrupted and cannot attack."));
        }
        if let Piece::Base(id) = piece
            && self.table.base(id).is_some_and(|base| !base.is_out())
        {
            return refuse("settled", "4.4", "A base can attack only while it is out.");
        }
        match target {
            Target::DeathStar if self.marker(at) == Some(Marker::DeathStar) => Ok(()),
            Target::DeathStar => {
                refuse("no-death-star", "8", format!("You have not seen a Death Star in {at}."))
            }
            Target::Piece(foe) => self.judge_attack_on_piece(foe, at),
        }
    }

    /// Judges an attack on a piece (R10). A base on a planet is fought last.
    fn judge_attack_on_piece(&self, foe: Piece, at: Place) -> Verdict {
        if self.table.place_of(foe) != Some(at) {
            return refuse("not-there", "3.4", format!("{} is not in {at}.", subject(foe)));
        }
        self.may_attack(foe.owner())?;
        let first = match foe {
            Piece::Base(id) if self.table.base(id).is_some_and(|base| !base.is_out()) => {
                self.table.fit_defender(id.owner, at)
            }
            Piece::Base(_) | Piece::Ship(_) => self.table.defender(foe.owner(), at),
        };
        match first {
            Some(first) if first != foe => {
                refuse("defended", "R10", format!("You must fight {} first.", object(first)))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn judge_battle(&self) -> Verdict {
        if let Stage::Battle(battle) = self.table.stage
            && battle.attacker.owner() == self.seat
        {
            return Ok(());
        }
        refuse("no-battle", "6", "You have no battle to decide.")
    }
}

impl Referee<'_> {
    pub(crate) fn attack(&mut self, piece: Piece, target: Target) {
        let undisturbed = self.table().death_star == DeathStar::Undisturbed;
        match target {
            Target::DeathStar if undisturbed => self.ambush(piece),
            Target::DeathStar | Target::Piece(_) => {
                self.open_battle(Battle { attacker: piece, target, met: false });
            }
        }
    }

    /// Fights the next enemy in the hex if the piece is able to fight (R29, R27). Otherwise the
    /// turn continues.
    pub(crate) fn meet(&mut self, piece: Piece) {
        let met = match self.table().place_of(piece) {
            Some(at) if !self.table().is_disrupted(piece) => {
                self.table().next_enemy(piece.owner(), at)
            }
            _ => None,
        };
        match met {
            Some(foe) => {
                self.open_battle(Battle { attacker: piece, target: Target::Piece(foe), met: true });
            }
            None => self.enter(Stage::Turn),
        }
    }

    fn open_battle(&mut self, battle: Battle) {
        if let Target::Piece(foe) = battle.target {
            self.act_of_war(battle.attacker.owner(), foe.owner(), true);
        }
        self.fight(battle);
    }

    pub(crate) fn fight(&mut self, battle: Battle) {
        let foe_was_disrupted =
            matches!(battle.target, Target::Piece(foe) if self.table().is_disrupted(foe));
        let Some(at) = self.table().place_of(battle.attacker) else { return };
        let round = self.roll_round(battle);
        if round.attacker_lost {
            self.lose(battle.attacker, Cause::Battle);
        }
        if round.foe_lost {
            self.destroy(battle.target, battle.attacker.owner(), at);
        }
        if round.attacker_lost {
            self.enter(Stage::Turn);
        } else if round.foe_lost && battle.met {
            self.meet(battle.attacker);
        } else if round.foe_lost {
            self.enter(Stage::Turn);
        } else if foe_was_disrupted {
            self.withdraw(battle.attacker);
        } else {
            self.enter(Stage::Battle(battle));
        }
    }

    /// Rolls the dice of a round in order (rule 6). Against a starship or a base that is out, both
    /// sides roll together, the attacker's die first. A base on a planet and the Death Star roll
    /// first, and the attacker rolls only if it survives. Disrupted pieces do not roll (R34).
    fn roll_round(&mut self, battle: Battle) -> Round {
        let nth = u32::from(self.table().battle_rounds) * 2;
        let (attacks_first, defends) = match battle.target {
            Target::DeathStar => (false, true),
            Target::Piece(Piece::Base(id)) => {
                (self.table().base(id).is_some_and(Base::is_out), true)
            }
            Target::Piece(ship) => (true, !self.table().is_disrupted(ship)),
        };
        let (mut attack, mut defense) = (None, None);
        if attacks_first {
            attack = Some(self.roll("battle", battle.attacker, nth));
        }
        if defends {
            defense = Some(self.roll("battle", battle.attacker, nth + 1));
        }
        let attacker_lost = defense.is_some_and(|die| die <= 3);
        if !attacks_first && !attacker_lost {
            attack = Some(self.roll("battle", battle.attacker, nth));
        }
        self.publish_to_all(BattleEvent::BattleRolled {
            attacker: battle.attacker,
            target: battle.target,
            attack,
            defense,
        });
        Round { attacker_lost, foe_lost: attack.is_some_and(|die| die <= 3) }
    }

    fn destroy(&mut self, foe: Target, by: Seat, at: Place) {
        match foe {
            Target::DeathStar => {
                self.publish_to_all(DeathStarEvent::DeathStarDestroyed { at, seat: by });
            }
            Target::Piece(ship @ Piece::Ship(_)) => self.lose(ship, Cause::Battle),
            Target::Piece(Piece::Base(id)) => {
                let settled = self.table().base(id).is_some_and(|base| !base.is_out());
                self.publish_to_all(MoveEvent::Lost {
                    piece: Piece::Base(id),
                    at,
                    cause: Some(Cause::Battle),
                });
                // The attacker takes Earth even if their own bases are there (R21).
                let guests = || {
                    self.table()
                        .bases
                        .iter()
                        .any(|base| base.at == at && !base.is_out() && base.id.owner != by)
                };
                if settled && !guests() {
                    self.take_planet(at, by);
                }
                self.after_base_lost(id.owner);
            }
        }
    }

    /// Withdraws a piece to the hex from which it moved (R9). The piece stays if it did not move,
    /// or if that hex now has a Death Zone.
    pub(crate) fn withdraw(&mut self, piece: Piece) {
        let (Some(at), Some(done)) = (self.table().place_of(piece), self.table().done(piece))
        else {
            return;
        };
        let back = done.moved_from.filter(|&from| !self.table().zones.contains(from)).unwrap_or(at);
        self.publish_to_all(BattleEvent::Withdrew { piece, to: back });
        self.see(piece.owner(), back);
        self.enter(Stage::Turn);
    }
}
