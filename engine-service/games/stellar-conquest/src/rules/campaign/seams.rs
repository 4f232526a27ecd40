//! The places where an article replaces a rule, in the order of a turn. Each function names the base rule first.

use heliopause_kernel::{Refusal, Seat};

use crate::client::choices::AlikeTargets;
use crate::rules::battle::withdrawal::end_battle;
use crate::rules::campaign::fate::commission::roll_fate_entry_hex;
use crate::rules::campaign::fate::discovery::{fate_pirate_dice, fate_populate};
use crate::rules::campaign::fate::events::{fate_before_movement, fate_count_losses};
use crate::rules::campaign::fate::pirates::fate_disengage;
use crate::rules::campaign::fate::recall::fate_collect_debt;
use crate::rules::campaign::fate::{commission, fate_chart, independents, pirates, recall};
use crate::rules::campaign::outer_space::claims::space_claim;
use crate::rules::campaign::outer_space::latecomers::space_before_battles;
use crate::rules::campaign::outer_space::raids::{space_after_limited_round, space_count_destroyed};
use crate::rules::campaign::outer_space::research::roll_outfit;
use crate::rules::campaign::outer_space::stages::space_politics;
use crate::rules::campaign::outer_space::transports::land_by_policy;
use crate::rules::movement::Leg;
use crate::rules::referee::Referee;
use crate::rules::setup::{default_outfit, finish_setup};
use crate::state::battle::{Battle, Shot, UnitId};
use crate::state::campaign::fate::Fate;
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::campaign::{Campaign, CampaignStage};
use crate::state::colony::Colony;
use crate::state::event::Volley;
use crate::state::order::Voyage;
use crate::state::power::Eyes;
use crate::state::sheet::{DecreeSheet, Outfit, ProductionSheet, Sheet};
use crate::state::ship::{Fleet, ShipNumber};
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::stars::StarId;

impl Campaign {
    /// Base 3.4: the default is chosen there. Fate 2: a commission.
    pub(crate) fn default_outfit(&self) -> Option<Outfit> {
        match self {
            Self::Conquest | Self::OuterSpace(_) => None,
            Self::Fate(_) => Some(commission::default()),
        }
    }

    /// Base 7.3: the post off the board counts only while none stands on the board. Fate, FR-27: always.
    pub(crate) const fn off_board_post_always_counts(&self) -> bool {
        matches!(self, Self::Fate(_))
    }

    /// Base 0: everybody else is an enemy. Fate: pirates and independents leave each other alone. Space 7.1: who fights where
    /// is politics.
    pub(crate) fn are_enemies(&self, one: Seat, other: Seat, at: Place) -> bool {
        match self {
            Self::Conquest => one != other,
            Self::Fate(_) => one != other && (one == Fate::captain() || other == Fate::captain()),
            Self::OuterSpace(politics) => politics.fight_each_other(one, other, at),
        }
    }

    /// Base 5.4: ships stop for those of everybody else. Fate: the same. Space 7.1: but for allies.
    pub(crate) fn stops(&self, seat: Seat, other: Seat, at: Place) -> bool {
        match self {
            Self::Conquest | Self::Fate(_) => self.are_enemies(seat, other, at),
            Self::OuterSpace(politics) => politics.stops(seat, other),
        }
    }

    /// Base 13.1: the colony of an enemy can be attacked. Space 8.5: it counts who commands it now.
    pub(crate) fn is_target(&self, seat: Seat, owner: Seat, conqueror: Option<Seat>, at: Place) -> bool {
        match self {
            Self::Conquest | Self::Fate(_) => self.are_enemies(seat, owner, at),
            Self::OuterSpace(_) => {
                owner != seat && self.are_enemies(seat, conqueror.filter(|&by| by != seat).unwrap_or(owner), at)
            }
        }
    }

    /// Base 12.1: the others are fought one after the other. Space 8.5: allies are attacked together.
    pub(crate) fn fight_together(&self, one: Seat, other: Seat) -> bool {
        one == other || self.politics().is_some_and(|politics| politics.are_allies(one, other))
    }

    /// Base 12.7 ii: when a round leaves neither side a warship, the attacker withdraws. Fate 7.5, 7.7: they are asked as after
    /// every round, and a die may drive the pirates off before it comes to that.
    pub(crate) const fn asks_after_every_round(&self) -> bool {
        matches!(self, Self::Fate(_))
    }

    /// Base 12.7 iv: a defender may withdraw. Fate 7, 12: pirates never do.
    pub(crate) fn may_withdraw(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Base 13.5: an owner may destroy factories. Fate, FR-25: independents never do.
    pub(crate) fn may_scuttle(&self, seat: Seat) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => seat == Fate::captain(),
        }
    }

    /// Base 15.2: a conquered colony yields from its second production turn on. Fate 8.4: nothing without a garrison.
    pub(crate) const fn conquered_colonies_produce(&self) -> bool {
        !matches!(self, Self::Fate(_))
    }

    /// Base 16.1: transports may land on a free colony of their owner. Fate 8.6: a garrison never grows.
    pub(crate) const fn may_join(&self, colony: &Colony) -> bool {
        match self {
            Self::Conquest | Self::OuterSpace(_) => true,
            Self::Fate(_) => !colony.is_dominion(),
        }
    }

    /// Base 14: a siege takes a warship of anybody else, of those who have some in the hex. Fate 10: of pirates; the same, as
    /// independents have no ships. Space, DR-44: of who is at odds with the colony's power there, in a truce too, while that
    /// power and its allies have none.
    pub(crate) fn besieger(&self, owner: Seat, armed: &[Seat], star: StarId) -> Option<Seat> {
        let at = star.at();
        let Self::OuterSpace(politics) = self else {
            return armed.iter().copied().find(|&seat| self.are_enemies(seat, owner, at));
        };
        let power = politics.claimant(star).unwrap_or(owner);
        let guarded = armed.iter().any(|&seat| seat == power || politics.are_allies(seat, power));
        let besieges = |seat: &Seat| *seat != owner && politics.are_at_odds(*seat, power, at);
        armed.iter().copied().find(besieges).filter(|_| !guarded)
    }

    /// Base 15.5: a colony without a guard is its owner's. Space 10.5, DR-36: slaves are their claimant's, but while their own
    /// power alone has warships there as the claimant's enemy.
    pub(crate) fn master(&self, owner: Seat, armed: &[Seat], star: StarId) -> Option<Seat> {
        let politics = self.politics()?;
        let master = politics.claimant(star).filter(|&claimant| claimant != owner)?;
        let freed = armed.contains(&owner)
            && politics.are_at_odds(owner, master, star.at())
            && !armed.iter().any(|&seat| seat == master || politics.are_allies(seat, master));
        (!freed).then_some(master)
    }

    /// Base 19.2: a conquered planet needs a warship. Space, DR-16: slaves do not.
    pub(crate) fn scores_without_guard(&self, seat: Seat, star: StarId) -> bool {
        self.politics().is_some_and(|politics| politics.claimant(star) == Some(seat))
    }

    /// Base 4: everybody has turns. Space, DR-42: a power that is no more has none.
    pub(crate) fn plays(&self, seat: Seat) -> bool {
        !self.politics().is_some_and(|politics| politics.is_fallen(seat))
    }
}

/// Base 2.7: by the order of play. Fate 2.2: a die, 5 and 6 rolled again.
pub(crate) fn roll_entry_hex(referee: &mut Referee<'_>) -> Option<Place> {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => None,
        Campaign::Fate(_) => Some(roll_fate_entry_hex(referee)),
    }
}

/// Base: nothing comes before the movement. Fate 3: the random event, Swarms, the Sub-Province's corvette, withdrawals.
pub(crate) fn before_movement(referee: &mut Referee<'_>) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_before_movement(referee),
    }
}

/// Base 3.4: everybody chooses. Space 4: dice do. Says whether they did.
pub(crate) fn outfit_by_dice(referee: &mut Referee<'_>) -> bool {
    let rolls = referee.table().campaign.politics().is_some();
    if rolls {
        finish_setup(referee);
    }
    rolls
}

/// Base 3.4: what a player begins with who has not chosen. Space 4: what the dice say.
pub(crate) fn outfit_of(referee: &mut Referee<'_>, seat: Seat) -> Outfit {
    match (&referee.table().campaign, &referee.power(seat).sheet) {
        (Campaign::OuterSpace(_), _) => roll_outfit(referee, seat),
        (_, Sheet::Outfit(outfit)) => outfit.clone(),
        _ => default_outfit(referee),
    }
}

/// Base 17: after growth the sheets are open. Space 6: politics come first. Says whether the game goes on.
pub(crate) fn before_sheets(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => true,
        Campaign::OuterSpace(_) => space_politics(referee),
    }
}

/// Base 17: nothing is left of a production turn. Space 6: neither are its dice.
pub(crate) fn after_sheets(referee: &mut Referee<'_>) {
    if referee.table().campaign.politics().is_some() {
        referee.announce_politics(PoliticsEvent::ProductionEnded);
    }
}

/// Base 12: nothing comes between exploration and battles. Space 7.1, 9.1: raids, and ships that may not stay where they
/// are. Says whether that is to be settled first.
pub(crate) fn before_battles(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => false,
        Campaign::OuterSpace(_) => space_before_battles(referee),
    }
}

/// Base 16.1: landing is free. Space 7.2: transports land where policy has sent them.
pub(crate) fn land_the_last(referee: &mut Referee<'_>, seat: Seat) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => {}
        Campaign::OuterSpace(_) => land_by_policy(referee, seat),
    }
}

/// Base 11.4: the explorer knows the card, and that is all. Fate 6.2: the Planet Table is rolled for each planet. Space 2:
/// the star is claimed.
pub(crate) fn after_drawing(referee: &mut Referee<'_>, seat: Seat, star: StarId) {
    match referee.table().campaign {
        Campaign::Conquest => {}
        Campaign::Fate(_) => fate_populate(referee, seat, star),
        Campaign::OuterSpace(_) => space_claim(referee, seat, star),
    }
}

/// Base: exploration is over. Fate 6.5: a die for a pirate at every independent planet found in an earlier turn.
pub(crate) fn after_exploration(referee: &mut Referee<'_>, seat: Seat) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_pirate_dice(referee, seat),
    }
}

/// Base 12.7 v: the next round. Fate 7.6: pirates may disengage first; says whether they did, so that the battle is over.
pub(crate) fn before_next_round(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => false,
        Campaign::Fate(_) => fate_disengage(referee),
    }
}

/// Base 12.2, 12.7 ii: without warships on either side the attacker withdraws. Fate 7.7, FR-6: after one roll for
/// disengagement. Says whether the battle is over by that roll.
pub(crate) fn before_unarmed_withdrawal(referee: &mut Referee<'_>) -> bool {
    before_next_round(referee)
}

/// Base: nothing comes between attacks and landings. Fate 3, 6b: debts are paid. Says whether one was paid, or is asked for:
/// then the player may still land, and ends their turn once more.
pub(crate) fn before_landings(referee: &mut Referee<'_>) -> bool {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => false,
        Campaign::Fate(_) => fate_collect_debt(referee),
    }
}

/// Base 11.5: what becomes of a colony others find out by exploration. Fate 6.2: the Captain-General knows it of independent
/// worlds.
pub(crate) fn after_colony_changed(referee: &mut Referee<'_>, owner: Seat, planet: PlanetId) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_chart(referee, owner, planet),
    }
}

/// Base: what battles destroy counts nothing. Space 9.1, 10.2: it makes tension, or success.
pub(crate) fn count_destroyed(referee: &mut Referee<'_>, battle: &Battle, volleys: &[Volley], destroyed: &[UnitId]) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => {}
        Campaign::OuterSpace(_) => space_count_destroyed(referee, battle, volleys, destroyed),
    }
}

/// Base: battles have no limit, but one would end them. Space 7.1, 9.1: a round or two.
pub(crate) fn after_limited_round(referee: &mut Referee<'_>) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::Fate(_) => end_battle(referee),
        Campaign::OuterSpace(_) => space_after_limited_round(referee),
    }
}

/// Base: losses count nothing. Fate 7.8, 11: destroyed ships count for victory points.
pub(crate) fn after_losses(referee: &mut Referee<'_>, of: Seat, lost: Fleet) {
    match referee.table().campaign {
        Campaign::Conquest | Campaign::OuterSpace(_) => {}
        Campaign::Fate(_) => fate_count_losses(referee, of, lost),
    }
}

impl Eyes<'_> {
    /// What is asked at a stage of a variant.
    pub(crate) fn campaign_prompt(stage: CampaignStage) -> String {
        match stage {
            CampaignStage::Recall { half_points, .. } => recall::prompt(half_points),
            CampaignStage::Place { at } => {
                let star = StarId::in_hex(at).map_or_else(|| at.to_string(), |star| star.to_string());
                format!("Your ships may not stay at {star}: choose a hex beside it, and where they are bound.")
            }
        }
    }

    /// Base 16: transports may land as soon as the attacks are over. Fate 3, 6b: not before debts are paid that can be paid.
    pub(crate) fn judge_before_landing(&self) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::OuterSpace(_) => Ok(()),
            Campaign::Fate(_) => self.judge_debt(),
        }
    }

    /// Base 5 to 8: any way within the rules. Space 7: politics say where ships go, and transports.
    pub(crate) fn judge_politics_of(&self, voyage: &Voyage, leg: &Leg) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::Fate(_) => Ok(()),
            Campaign::OuterSpace(_) => self.judge_course(voyage, leg),
        }
    }

    /// Base 16: any planet that can be settled. Space 2, 7.2: of one's own claim, and by policy.
    pub(crate) fn judge_policy_of(&self, ships: &[ShipNumber], planet: PlanetId) -> Result<(), Refusal> {
        match self.table.campaign {
            Campaign::Conquest | Campaign::Fate(_) => Ok(()),
            Campaign::OuterSpace(_) => self.judge_settlement(ships, planet),
        }
    }

    /// Base 17: the sheet of the seat, or the default. Space 6.2: what its decree comes to.
    pub(crate) fn final_sheet(&self) -> ProductionSheet {
        match &self.power.sheet {
            Sheet::Production(sheet) => sheet.clone(),
            Sheet::Decree(sheet) => self.draft(sheet).unwrap_or_default(),
            Sheet::None | Sheet::Outfit(_) if self.table.campaign.politics().is_some() => {
                self.draft(&DecreeSheet::default()).unwrap_or_default()
            }
            Sheet::None | Sheet::Outfit(_) => self.default_production(),
        }
    }

    /// Base 12.3, 13.4: a defender aims as they like. Fate 7.2, 8.3: pirates and bases of independents do as the article says,
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
