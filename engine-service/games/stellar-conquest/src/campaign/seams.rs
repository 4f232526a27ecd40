//! The places where an article replaces a rule, in the order of a turn. Each function names the base rule first.

use heliopause_kernel::{Refusal, Seat};

use crate::battle::{Battle, Shot};
use crate::board::Place;
use crate::campaign::{Campaign, CampaignStage, Fate};
use crate::cards::PlanetId;
use crate::choices::AlikeTargets;
use crate::colony::Colony;
use crate::power::Eyes;
use crate::referee::Referee;
use crate::sheet::Outfit;
use crate::ship::Fleet;
use crate::stars::StarId;

use super::fate::{commission, independents, pirates, recall};

impl Campaign {
    /// Base 3.4: the default is chosen there. Fate 2: a commission.
    pub(crate) fn default_outfit(&self) -> Option<Outfit> {
        match self {
            Self::Conquest => None,
            Self::Fate(_) => Some(commission::default()),
        }
    }

    /// Base 7.3: the post off the board counts only while none stands on the board. Fate, FR-27: always.
    pub(crate) const fn off_board_post_always_counts(&self) -> bool {
        matches!(self, Self::Fate(_))
    }

    /// Base 0: everybody else is an enemy. Fate: pirates and independents leave each other alone.
    pub(crate) fn are_enemies(&self, one: Seat, other: Seat) -> bool {
        match self {
            Self::Conquest => one != other,
            Self::Fate(_) => one != other && (one == Fate::captain() || other == Fate::captain()),
        }
    }

    /// Base 12.7 iv: a defender may withdraw. Fate 7, 12: pirates never do.
    pub(crate) fn may_withdraw(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Base 13.5: an owner may destroy factories. Fate, FR-25: independents never do.
    pub(crate) fn may_scuttle(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Base 15.2: a conquered colony yields from its second production turn on. Fate 8.4: nothing without a garrison.
    pub(crate) const fn conquered_colonies_produce(&self) -> bool {
        matches!(self, Self::Conquest)
    }

    /// Base 16.1: transports may land on a free colony of their owner. Fate 8.6: a garrison never grows.
    pub(crate) const fn may_join(&self, colony: &Colony) -> bool {
        match self {
            Self::Conquest => true,
            Self::Fate(_) => !colony.is_dominion(),
        }
    }

    /// Base 14: a siege takes a warship of anybody else. Fate 10: of pirates; the same, as independents have no ships.
    pub(crate) fn besieges(&self, one: Seat, other: Seat) -> bool {
        self.are_enemies(one, other)
    }
}

impl Referee<'_> {
    /// Base 2.7: by the order of play. Fate 2.2: a die, 5 and 6 rolled again.
    pub(crate) fn roll_entry_hex(&mut self) -> Option<Place> {
        match self.table().campaign {
            Campaign::Conquest => None,
            Campaign::Fate(_) => Some(self.roll_fate_entry_hex()),
        }
    }

    /// Base: nothing comes before the movement. Fate 3: the random event, Swarms, the Sub-Province's corvette, withdrawals.
    pub(crate) fn before_movement(&mut self) {
        match self.table().campaign {
            Campaign::Conquest => {}
            Campaign::Fate(_) => self.fate_before_movement(),
        }
    }

    /// Base 11.4: the explorer knows the card, and that is all. Fate 6.2: the Planet Table is rolled for each planet.
    pub(crate) fn after_drawing(&mut self, seat: Seat, star: StarId) {
        match self.table().campaign {
            Campaign::Conquest => {}
            Campaign::Fate(_) => self.fate_populate(seat, star),
        }
    }

    /// Base: exploration is over. Fate 6.5: a die for a pirate at every independent planet found in an earlier turn.
    pub(crate) fn after_exploration(&mut self, seat: Seat) {
        match self.table().campaign {
            Campaign::Conquest => {}
            Campaign::Fate(_) => self.fate_pirate_dice(seat),
        }
    }

    /// Base 12.7 v: the next round. Fate 7.6: pirates may disengage first; says whether they did, so that the battle is over.
    pub(crate) fn before_next_round(&mut self) -> bool {
        match self.table().campaign {
            Campaign::Conquest => false,
            Campaign::Fate(_) => self.fate_disengage(),
        }
    }

    /// Base 12.2, 12.7 ii: without warships on either side the attacker withdraws. Fate 7.7: after a round without firing
    /// and one roll for disengagement. Says whether the battle is over by that roll.
    pub(crate) fn before_unarmed_withdrawal(&mut self) -> bool {
        self.before_next_round()
    }

    /// Base: nothing comes between attacks and landings. Fate 3, 6b: debts are paid. Says whether one was paid, or is asked for:
    /// then the player may still land, and ends his turn once more.
    pub(crate) fn before_landings(&mut self) -> bool {
        match self.table().campaign {
            Campaign::Conquest => false,
            Campaign::Fate(_) => self.fate_collect_debt(),
        }
    }

    /// Base 11.5: what becomes of a colony others find out by exploration. Fate 6.2: the Captain-General knows it of independent
    /// worlds.
    pub(crate) fn after_colony_changed(&mut self, owner: Seat, planet: PlanetId) {
        match self.table().campaign {
            Campaign::Conquest => {}
            Campaign::Fate(_) => self.fate_chart(owner, planet),
        }
    }

    /// Base: losses count nothing. Fate 7.8, 11: destroyed ships count for victory points.
    pub(crate) fn after_losses(&mut self, of: Seat, lost: Fleet) {
        match self.table().campaign {
            Campaign::Conquest => {}
            Campaign::Fate(_) => self.fate_count_losses(of, lost),
        }
    }
}

impl Eyes<'_> {
    /// What is asked at a stage of a variant.
    pub(crate) fn campaign_prompt(stage: CampaignStage) -> String {
        match stage {
            CampaignStage::Recall { half_points, .. } => recall::prompt(half_points),
        }
    }

    /// Base 16: transports may land as soon as the attacks are over. Fate 3, 6b: not before debts are paid that can be paid.
    pub(crate) fn judge_before_landing(&self) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest => Ok(()),
            Campaign::Fate(_) => self.judge_debt(),
        }
    }

    /// Base 12.3, 13.4: a defender aims as he likes. Fate 7.2, 8.3: pirates and bases of independents do as the article says,
    /// up to the order of alike ships. The shots that are taken by default; nothing if the seat is free.
    pub(crate) fn prescribed_shots(&self, battle: &Battle) -> Option<Vec<Shot>> {
        self.table.campaign.fate()?;
        match self.seat {
            seat if seat == Fate::pirates() => Some(pirates::default_shots(battle)),
            seat if seat == Fate::independents() => Some(independents::default_shots(battle)),
            _ => None,
        }
    }

    /// What the prescribed shots leave open: ships that may be exchanged for each other, with those who fire at them.
    pub(crate) fn prescribed_groups(battle: &Battle, shots: &[Shot]) -> Vec<AlikeTargets> {
        pirates::alike(battle, shots)
    }

    /// The prescribed shots, judged: whether shots differ from the prescribed ones in the order of alike ships alone.
    pub(crate) fn judge_prescribed(&self, battle: &Battle, shots: &[Shot]) -> Result<(), Refusal> {
        match self.table.campaign.fate() {
            Some(_) if self.seat == Fate::pirates() => pirates::judge_shots(battle, shots),
            Some(_) if self.seat == Fate::independents() => independents::judge_shots(battle, shots),
            _ => Ok(()),
        }
    }
}
