//! What is told of politics. Everybody is told all of it, but for the dice of priority (DR-29).

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::politics::{
    Departure, Era, Incident, Politics, Quarrel, Raid, Relation,
};
use crate::state::campaign::war::{War, WarKind};
use crate::tables::cards::PlanetId;
use crate::tables::outer_space::{Happening, Talks, Terms, Verdict};
use crate::tables::stars::StarId;
use crate::wire::numbers;

/// Something public, but for the die of priority.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(
    kinds = proto::politics_event::Kind,
    message = proto::PoliticsEvent,
    with(Seat = numbers::seat, [Seat; 2] = numbers::pair, SeatSet = numbers::seat_set)
)]
pub enum PoliticsEvent {
    /// 2: a star was explored first by this power.
    #[wire(message = proto::Claim)]
    Claimed { seat: Seat, star: StarId },
    /// 5: a stage began.
    EraBegan { era: Era },
    /// 7.1: ships arrived where others are. Dice of 11 and 12 cost a round of fire.
    Encountered {
        /// Who arrived.
        seat: Seat,
        star: StarId,
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
    },
    /// 8.1: the dice of diplomacy.
    #[wire(message = proto::DiplomacyRolled)]
    Rolled {
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
        /// What the stage adds.
        modifier: u8,
        /// What they bring.
        happening: Happening,
        /// Between whom.
        pair: Option<[Seat; 2]>,
        /// How these two stood to each other.
        relation: Option<Relation>,
    },
    /// 8.3: talks between the sides of the war.
    Talked {
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
        /// What is added.
        modifier: u8,
        /// What they bring.
        #[wire(name = result)]
        talks: Talks,
    },
    /// 9: an incident began.
    IncidentBegan(Incident),
    /// 9: the dice for an incident.
    IncidentRolled {
        incident: Incident,
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
        /// What is added.
        modifier: u8,
        /// What they bring.
        verdict: Verdict,
    },
    /// 9: an incident is over.
    #[wire(message = proto::SeatPair)]
    IncidentEnded {
        /// Between whom.
        #[wire(name = seats)]
        pair: [Seat; 2],
    },
    /// 9.1: the tension of a clash rose.
    TensionRose {
        /// Between whom.
        pair: [Seat; 2],
        by: u32,
    },
    /// 9.1: a raid set out.
    RaidLaunched(Raid),
    /// 9.1: it is fought.
    RaidFought { at: StarId },
    /// 9.1: it is over.
    RaidEnded { at: StarId },
    /// 8.2: a war began.
    WarBegan(War),
    /// 8.2: the war is total now.
    Escalated,
    /// 8.2: a neutral joined the war.
    Joined { seat: Seat, against: Seat },
    /// 8.2: an ally changed sides. It and its old enemies must leave each other's stars.
    ChangedSides { seat: Seat },
    /// 8.2: a power has left the stars of those from whom it parted.
    Departed { seat: Seat },
    /// 8.2: an ally became neutral.
    LeftWar { seat: Seat },
    /// 8.4: a truce began or ended.
    TruceChanged {
        /// Whether it holds.
        truce: bool,
    },
    /// 10.2: success in the war.
    Scored {
        seat: Seat,
        /// Half points more.
        half_points: u32,
    },
    /// 10.3: peace.
    PeaceMade {
        /// Who had fought whom.
        #[wire(each(one_side, other_side))]
        sides: [SeatSet; 2],
        /// Half points of each side.
        half_points: [u32; 2],
        terms: Terms,
        /// The side that won, unless it is a stalemate.
        #[wire(with = numbers::side_if)]
        winner: Option<u8>,
    },
    /// 8.5: a war is over without a treaty, since a side is no more.
    WarEnded,
    /// 10.4, 10.5, 11: a star changed hands.
    Ceded {
        star: StarId,
        /// Who claims it now.
        to: Seat,
        /// Whether its people stay as slaves.
        enslaved: bool,
    },
    /// 6.1: a terran planet was evacuated for a power that won.
    Vacated { planet: PlanetId },
    /// 11: a power is no more.
    #[wire(message = proto::PowerFell)]
    Fell { seat: Seat },
    /// 6.2: the die of priority. To its owner.
    PriorityRolled {
        seat: Seat,
        /// What it showed.
        #[wire(check = numbers::die)]
        die: u8,
        /// What is added.
        #[wire(check = numbers::at_most_2)]
        modifier: u8,
    },
    /// 6: the production turn is over.
    ProductionEnded,
}

impl Politics {
    pub(crate) fn apply(&mut self, event: &PoliticsEvent) {
        match *event {
            PoliticsEvent::Claimed { seat, star } | PoliticsEvent::Ceded { star, to: seat, .. } => {
                self.claims[star.index()] = Some(seat);
            }
            PoliticsEvent::EraBegan { era } => self.era = era,
            PoliticsEvent::Encountered { star, .. } => self.met.push(star),
            PoliticsEvent::IncidentBegan(incident) => self.incidents.push(incident),
            PoliticsEvent::IncidentEnded { pair: [one, other] } => {
                self.incidents.retain(|incident| !incident.is_between(one, other));
            }
            PoliticsEvent::TensionRose { pair, by } => self.raise_tension(pair, by),
            PoliticsEvent::RaidLaunched(raid) => {
                self.raids.push(raid);
                self.raided.insert(raid.other);
            }
            PoliticsEvent::RaidFought { at } => {
                for raid in self.raids.iter_mut().filter(|raid| raid.at == at) {
                    raid.fought = true;
                }
            }
            PoliticsEvent::RaidEnded { at } => self.raids.retain(|raid| raid.at != at),
            PoliticsEvent::WarBegan(ref war) => self.war = Some(war.clone()),
            PoliticsEvent::Escalated => self.change_war(|war| war.kind = WarKind::Total),
            PoliticsEvent::Joined { seat, against } => {
                self.change_war(|war| war.join(seat, against));
            }
            PoliticsEvent::ChangedSides { seat } => {
                self.part(seat);
                self.change_war(|war| war.change_sides(seat));
            }
            PoliticsEvent::Departed { seat } => {
                self.departures.retain(|departure| departure.seat != seat);
            }
            PoliticsEvent::LeftWar { seat } => self.change_war(|war| war.leave(seat)),
            PoliticsEvent::TruceChanged { truce } => self.change_war(|war| war.truce = truce),
            PoliticsEvent::Scored { seat, half_points } => {
                self.change_war(|war| war.count(seat, half_points));
            }
            PoliticsEvent::PeaceMade { .. } | PoliticsEvent::WarEnded => self.war = None,
            PoliticsEvent::Fell { seat } => {
                self.fallen.insert(seat);
                self.departures
                    .retain(|departure| departure.seat != seat && departure.from != seat);
            }
            PoliticsEvent::Vacated { planet } => self.vacated.push(planet),
            PoliticsEvent::PriorityRolled { seat, die, modifier } => {
                if let Some(priority) = self.priorities.get_mut(seat.index()) {
                    *priority = Some(die + modifier);
                }
            }
            PoliticsEvent::ProductionEnded => {
                self.priorities = Default::default();
                self.vacated.clear();
            }
            PoliticsEvent::Rolled { .. }
            | PoliticsEvent::Talked { .. }
            | PoliticsEvent::IncidentRolled { .. } => {}
        }
    }

    fn change_war(&mut self, change: impl FnOnce(&mut War)) {
        if let Some(war) = &mut self.war {
            change(war);
        }
    }

    fn raise_tension(&mut self, [one, other]: [Seat; 2], by: u32) {
        for incident in self.incidents.iter_mut().filter(|incident| incident.is_between(one, other))
        {
            if let Quarrel::Clash { tension } = &mut incident.quarrel {
                *tension = tension.saturating_add(by);
            }
        }
    }

    /// 8.2: a power that changes sides and its enemies until now must leave each other's stars.
    fn part(&mut self, seat: Seat) {
        let enemies = self.war.as_ref().map_or(SeatSet::EMPTY, |war| war.enemies_of(seat));
        for other in enemies.iter() {
            for departure in
                [Departure { seat, from: other }, Departure { seat: other, from: seat }]
            {
                if !self.departures.contains(&departure) {
                    self.departures.push(departure);
                }
            }
        }
    }
}
