//! Rule 7.1: ships that end their movement where they may not stay, and their encounters.

use heliopause_kernel::Seat;
use heliopause_kernel::warning::list_some;

use crate::rules::campaign::outer_space::limited_battles::start_limited_battle;
use crate::rules::campaign::outer_space::lots::roll_two;
use crate::rules::campaign::outer_space::passage::Passage;
use crate::rules::campaign::outer_space::raids::fight_raids;
use crate::rules::conquest::update_star_control;
use crate::rules::judge::{Verdict, refuse};
use crate::rules::movement::split_off;
use crate::rules::referee::Referee;
use crate::state::{
    CampaignStage, Event, Order, OwnEvent, PoliticsEvent, SeatView, Ship, ShipNumber, Stage,
    TableEvent,
};
use crate::tables::{Place, StarId};

/// Minimum sum of two dice that causes a round of fire (7.1).
const MISUNDERSTANDING_MIN: u8 = 11;

impl SeatView<'_> {
    fn displaced_ships(&self, star: StarId) -> Vec<ShipNumber> {
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

    pub(crate) fn places_beside(at: Place) -> Vec<Place> {
        let all = || at.neighbors();
        let between: Vec<Place> =
            all().filter(|&beside| StarId::in_hex(beside).is_none()).collect();
        if between.is_empty() { all().collect() } else { between }
    }

    pub(crate) fn displaced_destinations(&self, at: Place) -> Vec<StarId> {
        if self.needs_no_destination() {
            return Vec::new();
        }
        self.raid_base(at).map_or_else(|| self.retreats(at), |home| vec![home])
    }

    fn raid_base(&self, at: Place) -> Option<StarId> {
        let raid = self.table.campaign.politics()?.raid_at(StarId::in_hex(at)?)?;
        (raid.seat == self.seat).then_some(raid.from)
    }

    /// Returns the open stars to which the ships may go. With transports, these are the stars that
    /// policy chooses or, without a policy, the stars that no other power claims. If none of these
    /// is open, returns all open stars (7.1, 7.2).
    fn retreats(&self, at: Place) -> Vec<StarId> {
        let open = self.open_stars(at);
        let star = StarId::in_hex(at);
        let leave = star.map_or_else(Vec::new, |star| self.displaced_ships(star));
        let ships = leave.iter().filter_map(|&number| self.power.ship(number));
        let transports: Vec<&Ship> = ships.filter(|ship| ship.load().is_some()).collect();
        if transports.is_empty() {
            return open;
        }
        let claimant = |star: &StarId| self.table.campaign.claimant(*star);
        let free = |star: &StarId| claimant(star).is_none_or(|claimant| claimant == self.seat);
        let suited: Vec<StarId> = match self.transport_stars(&transports) {
            Some(stars) => {
                stars.into_iter().map(|(star, _)| star).filter(|star| open.contains(star)).collect()
            }
            None => open.iter().copied().filter(free).collect(),
        };
        if suited.is_empty() { open } else { suited }
    }

    pub(crate) fn judge_place(&self, to: Place, destination: Option<StarId>) -> Verdict {
        let Stage::Campaign(CampaignStage::Place { at }) = self.table.stage else {
            return refuse!("wrong-step/place");
        };
        if self.table.active != self.seat {
            let active = self.table.active.number();
            return refuse!("not-your-turn", rule = "space-7.1", active);
        }
        let places = Self::places_beside(at);
        if !places.contains(&to) {
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            return refuse!("not-beside", at, to, places = places.join(", "));
        }
        let bound = self.displaced_destinations(at);
        let listed = || list_some(&bound.iter().map(ToString::to_string).collect::<Vec<String>>());
        match destination {
            _ if bound.is_empty() => Ok(()),
            Some(star) if bound.contains(&star) => Ok(()),
            Some(star) => {
                let rule = if self.raid_base(at).is_some() {
                    "space-9.1"
                } else if self.is_open(star) {
                    "space-7.2"
                } else {
                    "space-7.1"
                };
                refuse!("not-open", rule, star, listed = listed())
            }
            None => refuse!("no-destination/displaced", listed = listed()),
        }
    }

    pub(crate) fn default_place(&self, at: Place) -> Order {
        let bound = self.displaced_destinations(at);
        let destination = self.nearest_of(bound, at);
        let goal = destination.map_or(at, StarId::at);
        let to = Self::places_beside(at)
            .into_iter()
            .min_by_key(|beside| beside.distance(goal))
            .unwrap_or(at);
        Order::Place { at: to, destination }
    }
}

pub(crate) fn space_before_battles(referee: &mut Referee<'_>) -> bool {
    let seat = referee.table().active;
    if fight_raids(referee) {
        return true;
    }
    for star in StarId::ALL {
        let displaced_ships = referee.seat_view(seat).displaced_ships(star);
        if displaced_ships.is_empty() {
            continue;
        }
        if !meet(referee, seat, star, &displaced_ships) {
            referee.enter(Stage::Campaign(CampaignStage::Place { at: star.at() }));
        }
        return true;
    }
    for raid in referee.politics().raids.clone() {
        referee.publish_politics(PoliticsEvent::RaidEnded { at: raid.at });
    }
    if referee.politics().departures.iter().any(|departure| departure.seat == seat) {
        referee.publish_politics(PoliticsEvent::Departed { seat });
    }
    false
}

/// Rolls once for an encounter, except for raiders (7.1). Returns whether a battle started.
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
    let dice = roll_two(referee, "encounter", star.index() as u64);
    referee.publish_politics(PoliticsEvent::Encountered { seat, star, dice });
    let fires = dice[0] + dice[1] >= MISUNDERSTANDING_MIN;
    if fires {
        start_limited_battle(referee, seat, host, star.at(), 1);
    }
    fires
}

pub(crate) fn place(referee: &mut Referee<'_>, to: Place, destination: Option<StarId>) {
    let seat = referee.table().active;
    let Stage::Campaign(CampaignStage::Place { at }) = referee.table().stage else { return };
    let star = StarId::in_hex(at);
    let ships = star.map_or_else(Vec::new, |star| referee.seat_view(seat).displaced_ships(star));
    let destination = destination.filter(|_| !referee.seat_view(seat).needs_no_destination());
    referee.publish_to_all(Event::Table(TableEvent::Passed { seat, path: vec![at, to] }));
    split_off(referee, seat, &ships);
    referee.publish_to_owner(OwnEvent::ShipsMoved {
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
        update_star_control(referee, star);
    }
}
