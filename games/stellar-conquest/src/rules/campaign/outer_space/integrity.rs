//! Consistency checks of a political state.

use heliopause_kernel::Seat;

use crate::rules::integrity::{self, Check};
use crate::state::{Colony, Era, Politics, Quarrel, Stage, StellarConquest};
use crate::tables::StarId;
use crate::tables::outer_space::POWERS_MAX;

fn require(holds: bool, field: &str, message: &str) -> Check {
    integrity::require(holds, &format!("table.politics.{field}"), message)
}

/// Upper limit on points, so that sums cannot overflow.
const POINTS_MAX: u32 = 1_000_000;

const POINTS_TOO_HIGH: &str = "too high; the maximum is 1000000";

impl StellarConquest {
    pub(crate) fn check_politics(&self, politics: &Politics) -> Check {
        let players = self.table.players;
        let there = |seat: Seat| seat.index() < players;
        let expected = format!("expected powers from 1 to {players}");
        require(politics.claims.iter().flatten().all(|&seat| there(seat)), "claims", &expected)?;
        let drawn = StarId::ALL.into_iter().all(|star| {
            let card = self.truth.secrets.cards[star.index()];
            let known = |seat: Seat| self.power(seat).has_explored(star);
            card.is_some() == politics.claimant(star).is_some()
                && politics.claimant(star).is_none_or(known)
        });
        let text =
            "expected a claim for each star with a card, by a power that has explored the star";
        require(drawn, "claims", text)?;
        let complete = politics.claims.iter().all(Option::is_some);
        let text = "expected the first stage exactly while a star is unclaimed";
        require((politics.era == Era::Expansion) != complete, "stage", text)?;
        require(politics.fallen.iter().all(there), "fallen", &expected)?;
        require(politics.fallen.len() < players, "fallen", "at least one power must survive")?;
        self.check_war(politics)?;
        self.check_incidents(politics)?;
        let raids = politics.raids.iter().enumerate().all(|(nth, raid)| {
            let again = politics.raids[..nth]
                .iter()
                .any(|other| other.at == raid.at || other.other == raid.other);
            let raided = there(raid.other)
                && raid.other != raid.seat
                && politics.raided.contains(raid.other);
            raid.seat == self.table.active && raided && !again && (1..=2).contains(&raid.rounds)
        });
        let text =
            "expected raids of 1 or 2 rounds by the active power, one against each raided power";
        require(raids, "raids", text)?;
        require(politics.raided.iter().all(there), "raided", &expected)?;
        let departures = politics.departures.iter().enumerate().all(|(nth, departure)| {
            let pair = [departure.seat, departure.from];
            let alive = pair.iter().all(|&seat| there(seat) && !politics.is_eliminated(seat));
            alive && pair[0] != pair[1] && !politics.departures[..nth].contains(departure)
        });
        let text = "expected two different surviving powers, and no duplicates";
        require(departures, "departures", text)?;
        let open = self.table.stage == Stage::Production;
        let rolled = (0..POWERS_MAX).all(|index| {
            let due = open && index < players && !politics.is_eliminated(Seat::at(index));
            politics.priorities[index].is_some() == due
                && politics.priorities[index].is_none_or(|total| total <= 8)
        });
        require(
            rolled,
            "priorities",
            "expected a die of at most 8 for each surviving power in a production turn, otherwise \
             none",
        )?;
        self.check_settlers(politics)
    }

    fn check_war(&self, politics: &Politics) -> Check {
        let Some(war) = &politics.war else { return Ok(()) };
        let [one, other] = war.sides;
        let apart = one.intersection(other).is_empty() && !one.is_empty() && !other.is_empty();
        require(apart, "war.sides", "the sides must not overlap or be empty")?;
        let both = one.union(other);
        let alive = both
            .iter()
            .all(|seat| seat.index() < self.table.players && !politics.is_eliminated(seat));
        require(alive, "war.sides", "expected surviving powers of the game")?;
        let counted = war.success.len() == self.table.players;
        require(counted, "war.success", "expected one number for each power")?;
        let small = war.success.iter().all(|&success| success <= POINTS_MAX);
        require(small, "war.success", POINTS_TOO_HIGH)?;
        let earned = Seat::first(self.table.players)
            .zip(&war.success)
            .all(|(seat, &success)| success == 0 || both.contains(seat));
        require(earned, "war.success", "only powers at war have success points")
    }

    fn check_incidents(&self, politics: &Politics) -> Check {
        for (nth, incident) in politics.incidents.iter().enumerate() {
            let [one, other] = incident.pair;
            let powers = incident
                .pair
                .iter()
                .all(|&seat| seat.index() < self.table.players && !politics.is_eliminated(seat));
            let text = "expected two different surviving powers";
            require(powers && one != other, "incidents", text)?;
            let again =
                politics.incidents[..nth].iter().any(|before| before.is_between(one, other));
            require(!again, "incidents", "two powers can have only one incident")?;
            let sides = politics.war.as_ref().map(|war| (war.side_of(one), war.side_of(other)));
            let text = "powers on the sides of a war cannot have an incident";
            require(!matches!(sides, Some((Some(_), Some(_)))), "incidents", text)?;
            match incident.quarrel {
                Quarrel::Clash { tension } => {
                    require(tension <= POINTS_MAX, "incidents", POINTS_TOO_HIGH)?;
                }
                Quarrel::Dispute { star } => {
                    let text = format!("the second power must claim the disputed star {star}");
                    require(politics.claimant(star) == Some(other), "incidents", &text)?;
                }
            }
        }
        Ok(())
    }

    /// Requires each colony to be on a star claimed by its own power. People of other powers are
    /// slaves, or free while their ships guard them (2).
    fn check_settlers(&self, politics: &Politics) -> Check {
        for owner in Seat::first(self.table.players) {
            let settled = |colony: &Colony| {
                let star = colony.planet.star;
                let guarded = || self.power(owner).has_warship_at(star.at(), &self.table.options);
                match politics.claimant(star) {
                    None => false,
                    Some(claimant) => claimant == owner || !colony.is_free() || guarded(),
                }
            };
            let all = self.power(owner).colonies.iter().all(settled);
            let text = "a free colony without a warship needs a star that its own power claims";
            require(all, "claims", text)?;
            let gone = !politics.is_eliminated(owner) || self.power(owner).ships.is_empty();
            require(gone, "fallen", "an eliminated power cannot have ships")?;
        }
        Ok(())
    }
}
