//! Rule 7.1: ships that end their movement where they may not be, and whom they meet there.

use heliopause_kernel::Seat;

use crate::rules::campaign::outer_space::brief::fight_briefly;
use crate::rules::campaign::outer_space::lots::throw_two;
use crate::rules::campaign::outer_space::passage::Passage;
use crate::rules::campaign::outer_space::raids::fight_raids;
use crate::rules::conquest::settle_star;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::split_off;
use crate::rules::referee::Referee;
use crate::state::campaign::CampaignStage;
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::event::{Event, OwnEvent, TableEvent};
use crate::state::order::Order;
use crate::state::power::Eyes;
use crate::state::ship::{Ship, ShipNumber};
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::stars::StarId;

/// 7.1: two dice that cost a round of fire.
const MISUNDERSTANDING: u8 = 11;

impl Eyes<'_> {
    /// DR-38: this seat's ships at a star where they may not be at the end of their movement.
    fn unwelcome(&self, star: StarId) -> Vec<ShipNumber> {
        let departs = self
            .table
            .campaign
            .politics()
            .is_some_and(|politics| politics.departs(self.seat, star));
        let stays = |ship: &&Ship| match self.passage(star) {
            Passage::Open => !departs || ship.has_moved(),
            Passage::Truce => !ship.has_moved(),
            Passage::Neutral | Passage::RaidsOnly | Passage::NoBorderStar => false,
        };
        if !self.table.has_ships(self.seat, star.at()) {
            return Vec::new();
        }
        self.power.ships_at(star.at()).filter(|ship| !stays(ship)).map(|ship| ship.number).collect()
    }

    /// 7.1: the neighbouring hexes in which they can be placed: between the stars.
    pub(crate) fn places_beside(at: Place) -> Vec<Place> {
        let all = || at.neighbours();
        let between: Vec<Place> =
            all().filter(|&beside| StarId::in_hex(beside).is_none()).collect();
        if between.is_empty() { all().collect() } else { between }
    }

    /// Where ships that are sent on can be bound: raiders for their base (9.1), others for open
    /// stars.
    pub(crate) fn bound_beside(&self, at: Place) -> Vec<StarId> {
        if self.needs_no_destination() {
            return Vec::new();
        }
        self.raiders_home(at).map_or_else(|| self.retreats(at), |home| vec![home])
    }

    /// 9.1: the base of the raiders who stand in a hex.
    fn raiders_home(&self, at: Place) -> Option<StarId> {
        let raid = self.table.campaign.politics()?.raid_at(StarId::in_hex(at)?)?;
        (raid.seat == self.seat).then_some(raid.from)
    }

    /// 7.1, 7.2: open stars; with transports among the ships those to which policy sends them, and
    /// without any such those that nobody else claims.
    fn retreats(&self, at: Place) -> Vec<StarId> {
        let open = self.open_stars(at);
        let star = StarId::in_hex(at);
        let leave = star.map_or_else(Vec::new, |star| self.unwelcome(star));
        let ships = leave.iter().filter_map(|&number| self.power.ship(number));
        let transports: Vec<&Ship> = ships.filter(|ship| ship.load().is_some()).collect();
        if transports.is_empty() {
            return open;
        }
        let free = |star: &StarId| match self
            .table
            .campaign
            .politics()
            .and_then(|politics| politics.claimant(*star))
        {
            None => true,
            Some(claimant) => claimant == self.seat,
        };
        let suited: Vec<StarId> = match self.transport_stars(&transports) {
            Some(stars) => {
                stars.into_iter().map(|(star, _)| star).filter(|star| open.contains(star)).collect()
            }
            None => open.iter().copied().filter(free).collect(),
        };
        if suited.is_empty() { open } else { suited }
    }

    /// 7.1, 9.1: a neighbouring hex and a new destination.
    pub(crate) fn judge_place(&self, to: Place, destination: Option<StarId>) -> Verdict {
        let Stage::Campaign(CampaignStage::Place { at }) = self.table.stage else {
            return refuse("wrong-step", "space-7.1", "No ships are sent on now.");
        };
        if self.table.active != self.seat {
            return refuse("not-your-turn", "space-7.1", "It is not your turn.");
        }
        if !Self::places_beside(at).contains(&to) {
            return refuse(
                "not-beside",
                "space-7.1",
                format!("They are placed in a hex between the stars beside {at}."),
            );
        }
        let bound = self.bound_beside(at);
        match destination {
            _ if bound.is_empty() => Ok(()),
            Some(star) if bound.contains(&star) => Ok(()),
            Some(star) => {
                let rule = if self.raiders_home(at).is_some() {
                    "space-9.1"
                } else if self.is_open(star) {
                    "space-7.2"
                } else {
                    "space-7.1"
                };
                refuse("not-open", rule, format!("They cannot be bound for {star}."))
            }
            None => refuse("no-destination", "8.1", "Name the star for which the ships are bound."),
        }
    }

    /// The default: bound for home, in the hex that is nearest to it.
    pub(crate) fn default_place(&self, at: Place) -> Order {
        let bound = self.bound_beside(at);
        let destination = self.nearest_of(bound, at);
        let goal = destination.map_or(at, StarId::at);
        let to = Self::places_beside(at)
            .into_iter()
            .min_by_key(|beside| beside.distance(goal))
            .unwrap_or(at);
        Order::Place { at: to, destination }
    }
}

/// What comes between exploration and battles, and between battles: raids are fought, latecomers
/// meet others and are sent on. Says whether the battle or the question that it brings is to be
/// answered first.
pub(crate) fn space_before_battles(referee: &mut Referee<'_>) -> bool {
    let seat = referee.table().active;
    if fight_raids(referee) {
        return true;
    }
    for star in StarId::ALL {
        let unwelcome = referee.eyes(seat).unwelcome(star);
        if unwelcome.is_empty() {
            continue;
        }
        if !meet(referee, seat, star, &unwelcome) {
            referee.enter(Stage::Campaign(CampaignStage::Place { at: star.at() }));
        }
        return true;
    }
    for raid in referee.politics().raids.clone() {
        referee.announce_politics(PoliticsEvent::RaidEnded { at: raid.at });
    }
    if referee.politics().departures.iter().any(|departure| departure.seat == seat) {
        referee.announce_politics(PoliticsEvent::Departed { seat });
    }
    false
}

/// 7.1: who arrives where others are rolls dice, once; raiders do not. Says whether it came to a
/// battle.
fn meet(referee: &mut Referee<'_>, seat: Seat, star: StarId, ships: &[ShipNumber]) -> bool {
    let (power, politics) = (referee.power(seat), referee.politics());
    let arrived = ships.iter().any(|&number| power.ship(number).is_some_and(Ship::has_moved));
    let raids = politics.raid_at(star).is_some();
    if !arrived || raids || politics.met.contains(&star) {
        return false;
    }
    let mut others: Vec<Seat> = referee.table().others_at(seat, star.at()).collect();
    others.retain(|&other| politics.stops(seat, other) && !politics.is_enemy(seat, other));
    let claimant = politics.claimant(star);
    let Some(host) = claimant.filter(|seat| others.contains(seat)).or(others.first().copied())
    else {
        return false;
    };
    let dice = throw_two(referee, "encounter", star.index() as u64);
    referee.announce_politics(PoliticsEvent::Encountered { seat, star, dice });
    let fires = dice[0] + dice[1] >= MISUNDERSTANDING;
    if fires {
        fight_briefly(referee, seat, host, star.at(), 1);
    }
    fires
}

/// 7.1: places ships beside the star, and looks for others.
pub(crate) fn place(referee: &mut Referee<'_>, to: Place, destination: Option<StarId>) {
    let seat = referee.table().active;
    let Stage::Campaign(CampaignStage::Place { at }) = referee.table().stage else { return };
    let star = StarId::in_hex(at);
    let ships = star.map_or_else(Vec::new, |star| referee.eyes(seat).unwelcome(star));
    let destination = destination.filter(|_| !referee.eyes(seat).needs_no_destination());
    referee.announce(Event::Table(TableEvent::Passed { seat, path: vec![at, to] }));
    split_off(referee, seat, &ships);
    referee.whisper(OwnEvent::Sailed {
        seat,
        ships,
        to,
        steps: 0,
        halted: true,
        destination,
        departed: star,
    });
    referee.show_groups(seat, at);
    referee.show_groups(seat, to);
    if let Some(star) = star {
        settle_star(referee, star);
    }
}
