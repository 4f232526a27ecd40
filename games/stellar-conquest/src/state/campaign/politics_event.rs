//! Political events. All are public except for the priority dice (DR-29).

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::politics::{
    Departure, Era, Incident, Politics, Quarrel, Raid, Relation,
};
use crate::state::campaign::war::{War, WarKind};
use crate::tables::numbers;
use crate::tables::outer_space::{Happening, Talks, Terms, Verdict};
use crate::tables::{PlanetId, StarId};

/// A political event, public except for the priority dice.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(
    kinds = proto::politics_event::Kind,
    message = proto::PoliticsEvent,
    with(Seat = numbers::seat, [Seat; 2] = numbers::pair, SeatSet = numbers::seat_set)
)]
pub enum PoliticsEvent {
    /// A power claimed a star by exploring it (2).
    #[wire(message = proto::Claim)]
    Claimed { seat: Seat, star: StarId },
    /// A stage of the game starts (5).
    EraBegan { era: Era },
    /// Ships met ships of another power at a star. A dice sum of 11 or 12 causes a round of fire
    /// (7.1).
    Encountered {
        seat: Seat,
        star: StarId,
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
    },
    /// The dice for the diplomatic event were rolled (8.1).
    #[wire(message = proto::DiplomacyRolled)]
    Rolled {
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
        modifier: u8,
        diplomatic_event: Happening,
        pair: Option<[Seat; 2]>,
        /// The relation of the two powers before the event.
        relation: Option<Relation>,
    },
    /// The dice for talks were rolled (8.3).
    Talked {
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
        modifier: u8,
        #[wire(name = result)]
        talks: Talks,
    },
    /// A clash or a dispute starts (9).
    IncidentBegan(Incident),
    /// The dice for an incident were rolled (9).
    IncidentRolled {
        incident: Incident,
        #[wire(check = numbers::two_dice)]
        dice: [u8; 2],
        modifier: u8,
        verdict: Verdict,
    },
    /// An incident is over (9).
    #[wire(message = proto::SeatPair)]
    IncidentEnded {
        #[wire(name = seats)]
        pair: [Seat; 2],
    },
    /// The tension of a clash rose (9.1).
    TensionRose { pair: [Seat; 2], by: u32 },
    /// Raiders left for a star (9.1).
    RaidLaunched(Raid),
    /// The battle of a raid is about to start (9.1).
    RaidFought { at: StarId },
    /// The raiders have left the star (9.1).
    RaidEnded { at: StarId },
    /// A war starts (8.2).
    WarBegan(War),
    /// The war became total (8.2).
    Escalated,
    /// A neutral power joined the war (8.2).
    Joined { seat: Seat, against: Seat },
    /// An ally changed sides. The power and its former enemies must leave each other's stars (8.2).
    ChangedSides { seat: Seat },
    /// A power's ships have left the stars of its old enemies (8.2).
    Departed { seat: Seat },
    /// An ally became neutral (8.2).
    LeftWar { seat: Seat },
    /// A truce came into force or ended (8.4).
    TruceChanged { truce: bool },
    /// A power destroyed units in a war (10.2).
    Scored { seat: Seat, half_points: u32 },
    /// A treaty ended the war (10.3).
    PeaceMade {
        #[wire(each(one_side, other_side))]
        sides: [SeatSet; 2],
        half_points: [u32; 2],
        terms: Terms,
        /// The winning side, or `None` in a stalemate.
        #[wire(with = numbers::side_if)]
        winner: Option<u8>,
    },
    /// A war ended without a treaty because a side was eliminated (8.5).
    WarEnded,
    /// A star passed to another power (10.4, 10.5).
    Ceded { star: StarId, to: Seat, enslaved: bool },
    /// A Terran planet was evacuated for a victorious power (6.1).
    Vacated { planet: PlanetId },
    /// A power was eliminated (11).
    #[wire(message = proto::PowerFell)]
    Fell { seat: Seat },
    /// The priority die of a power, visible only to that power (6.2).
    PriorityRolled {
        seat: Seat,
        #[wire(check = numbers::die)]
        die: u8,
        #[wire(check = numbers::at_most_2)]
        modifier: u8,
    },
    /// The production turn is over.
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
