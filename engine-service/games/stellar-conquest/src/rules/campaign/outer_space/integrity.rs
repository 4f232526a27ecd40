//! Whether a political state holds together, and fits what is on the board.

use heliopause_kernel::{Malformed, Seat};

use crate::state::campaign::politics::{Era, Politics, Quarrel};
use crate::state::colony::Colony;
use crate::state::position::StellarConquest;
use crate::state::table::Stage;
use crate::tables::outer_space::POWERS_MAX;
use crate::tables::stars::StarId;

type Check = Result<(), Malformed>;

fn require(holds: bool, field: &str, message: &str) -> Check {
    if holds {
        Ok(())
    } else {
        Err(Malformed::field(format!("table.politics.{field}"), message.to_owned()))
    }
}

/// So that no sum overflows.
const POINTS_MAX: u32 = 1_000_000;

impl StellarConquest {
    /// Every invariant of the politics.
    pub(crate) fn check_politics(&self, politics: &Politics) -> Check {
        let players = self.table.players;
        let there = |seat: Seat| seat.index() < players;
        require(
            politics.claims.iter().flatten().all(|&seat| there(seat)),
            "claims",
            "there is no such power",
        )?;
        let drawn = StarId::ALL.into_iter().all(|star| {
            let card = self.truth.secrets.cards[star.index()];
            let known = |seat: Seat| self.power(seat).has_explored(star);
            card.is_some() == politics.claimant(star).is_some()
                && politics.claimant(star).is_none_or(known)
        });
        require(drawn, "claims", "a star is claimed when its card is drawn, by one who knows it")?;
        let complete = politics.claims.iter().all(Option::is_some);
        require(
            (politics.era == Era::Expansion) != complete,
            "stage",
            "the first stage ends with the last claim",
        )?;
        require(politics.fallen.iter().all(there), "fallen", "there is no such power")?;
        require(politics.fallen.len() < players, "fallen", "a power is left")?;
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
        require(raids, "raids", "the power on turn raids, each other power once")?;
        require(politics.raided.iter().all(there), "raided", "there is no such power")?;
        let departures = politics.departures.iter().enumerate().all(|(nth, departure)| {
            let pair = [departure.seat, departure.from];
            let alive = pair.iter().all(|&seat| there(seat) && !politics.is_fallen(seat));
            alive && pair[0] != pair[1] && !politics.departures[..nth].contains(departure)
        });
        require(departures, "departures", "each is of one power from another one, and named once")?;
        let open = self.table.stage == Stage::Production;
        let rolled = (0..POWERS_MAX).all(|index| {
            let due = open && index < players && !politics.is_fallen(Seat::at(index));
            politics.priorities[index].is_some() == due
                && politics.priorities[index].is_none_or(|total| total <= 8)
        });
        require(
            rolled,
            "priorities",
            "every power that is left has one in a production turn, and only then",
        )?;
        self.check_settlers(politics)
    }

    fn check_war(&self, politics: &Politics) -> Check {
        let Some(war) = &politics.war else { return Ok(()) };
        let [one, other] = war.sides;
        let apart = one.intersection(other).is_empty() && !one.is_empty() && !other.is_empty();
        require(apart, "war.sides", "they differ, and nobody fights alone")?;
        let both = one.union(other);
        let alive =
            both.iter().all(|seat| seat.index() < self.table.players && !politics.is_fallen(seat));
        require(alive, "war.sides", "there is no such power")?;
        let counted = war.success.len() == self.table.players;
        require(counted, "war.success", "there is one for each power")?;
        let earned = Seat::first(self.table.players)
            .zip(&war.success)
            .all(|(seat, &success)| success <= POINTS_MAX && (success == 0 || both.contains(seat)));
        require(earned, "war.success", "only who fights succeeds")
    }

    fn check_incidents(&self, politics: &Politics) -> Check {
        for (nth, incident) in politics.incidents.iter().enumerate() {
            let [one, other] = incident.pair;
            let powers = incident
                .pair
                .iter()
                .all(|&seat| seat.index() < self.table.players && !politics.is_fallen(seat));
            require(powers && one != other, "incidents", "it is between two powers")?;
            let again =
                politics.incidents[..nth].iter().any(|before| before.is_between(one, other));
            require(!again, "incidents", "two powers have one incident")?;
            let sides = politics.war.as_ref().map(|war| (war.side_of(one), war.side_of(other)));
            require(
                !matches!(sides, Some((Some(_), Some(_)))),
                "incidents",
                "who is at war with or beside whom has none",
            )?;
            let fits = match incident.quarrel {
                Quarrel::Clash { tension } => tension <= POINTS_MAX,
                Quarrel::Dispute { star } => politics.claimant(star) == Some(other),
            };
            require(fits, "incidents", "a dispute is about a star of the second")?;
        }
        Ok(())
    }

    /// 2: colonies stand on stars of their own power's claim; others' people are slaves, or free
    /// while their ships guard them.
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
            require(all, "claims", "colonies stand where their power claims, or serve who does")?;
            let gone = !politics.is_fallen(owner) || self.power(owner).ships.is_empty();
            require(gone, "fallen", "a power that is no more has no ships")?;
        }
        Ok(())
    }
}
