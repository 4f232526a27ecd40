//! Checks of requests to enter the queue, and the games that they ask for.

use bytes::Bytes;
use heliopause_proto::store::v1::{
    Created, Lots, MatchedPlayer, PlannedSeat, StoredMatch, Taken, planned_seat,
};
use heliopause_proto::v1::{AutomatedSeat, JoinQueueRequest, Pace, PhasePace, QuickPace};
use heliopause_table::{chain, registry};

use crate::failure::{Failure, Result};
use crate::store::Millis;

const BOTS_AFTER_MAX: Millis = 7 * 24 * 60 * 60 * 1_000;
/// A player who misses two deadlines in a row is probably gone, and the others wait in vain.
const AUTOMATED_AFTER_MISSES: u32 = 2;

/// Checks a request, and fills in the defaults.
pub(super) fn filled(request: JoinQueueRequest) -> Result<JoinQueueRequest> {
    let kind = registry::kind_or_fault(&request.kind)?;
    let (_, range) = kind.rules.options(None)?;
    let (fewest, most) = ((*range.start()).max(2) as u32, *range.end() as u32);
    if most < 2 {
        return Err(Failure::field("kind", "This game is for one player; create it instead."));
    }
    let usual = usual_players(&request.kind)? as u32;
    let (least, largest) = match (request.players_min, request.players_max) {
        (0, 0) => (usual, usual),
        (0, largest) => (usual.min(largest), largest),
        (least, 0) => (least, usual.max(least)),
        both => both,
    };
    for (field, players) in [("players_min", least), ("players_max", largest)] {
        if !(fewest..=most).contains(&players) {
            let text = format!("This game takes {fewest} to {most} players, not {players}.");
            return Err(Failure::field(field, text));
        }
    }
    if least > largest {
        let text = format!("{least} is more than players_max, which is {largest}.");
        return Err(Failure::field("players_min", text));
    }
    if QuickPace::try_from(request.pace).unwrap_or_default() == QuickPace::Unspecified {
        return Err(Failure::field("pace", "Choose one of the paces of the contract."));
    }
    if bots_after(&request).is_some_and(|wait| !(0..=BOTS_AFTER_MAX).contains(&wait)) {
        return Err(Failure::field("bots_after", "The wait must be 0 to 7 days."));
    }
    check_preferences(kind, &request.preferences, largest)?;
    Ok(JoinQueueRequest { players_min: least, players_max: largest, ..request })
}

fn check_preferences(kind: &registry::Kind, preferences: &[u32], most: u32) -> Result<()> {
    let refuse = |text: String| Err(Failure::field("preferences", text));
    if !preferences.is_empty() && kind.describe().roles.is_empty() {
        return refuse("The seats of this game differ only in their number.".to_owned());
    }
    for (index, seat) in preferences.iter().enumerate() {
        if !(1..=most).contains(seat) {
            return refuse(format!("Seat {seat} does not exist; players have seats 1 to {most}."));
        }
        if preferences[..index].contains(seat) {
            return refuse(format!("Seat {seat} is named twice."));
        }
    }
    Ok(())
}

pub(super) fn usual_players(kind: &str) -> Result<usize> {
    let kind = registry::kind_or_fault(kind)?;
    let (_, range) = kind.rules.options(None)?;
    Ok(kind.rules.usual_players().clamp(*range.start(), *range.end()).max(2))
}

/// Returns the wait after which automation may take seats, or `None` for never.
pub(super) fn bots_after(request: &JoinQueueRequest) -> Option<Millis> {
    let wait = request.bots_after.as_ref()?;
    Some(wait.seconds.saturating_mul(1_000).saturating_add(Millis::from(wait.nanos / 1_000_000)))
}

/// Returns the game of a match. It has no host, because a host could change the pace of opponents.
pub(super) fn game_of(matched: &StoredMatch, game_id: &str, secret: &[u8; 32]) -> Created {
    let automated =
        (0..matched.automated).map(|_| planned_seat::Plan::Automated(AutomatedSeat::default()));
    let players = matched.players.iter().map(|MatchedPlayer { player, preferences }| {
        let (player, preferences) = (player.clone(), preferences.clone());
        planned_seat::Plan::Taken(Taken { player, preferences, ..Taken::default() })
    });
    let seats: Vec<PlannedSeat> =
        players.chain(automated).map(|plan| PlannedSeat { plan: Some(plan) }).collect();
    Created {
        kind: matched.kind.clone(),
        pace: Some(pace(matched.pace())),
        lots: Some(Lots { chosen: vec![0; seats.len()] }),
        seats,
        seed_commitment: Bytes::copy_from_slice(&chain::commitment(secret)),
        start_when_full: true,
        rated: matched.rated,
        game_id: game_id.to_owned(),
        ..Created::default()
    }
}

fn pace(pace: QuickPace) -> Pace {
    const DAY: i64 = 24 * 60 * 60;
    let (seconds, vacation_days) = match pace {
        QuickPace::Fast => (60, 0),
        QuickPace::Unspecified | QuickPace::Live => (5 * 60, 0),
        QuickPace::Daily => (DAY, 7),
        QuickPace::Slow => (3 * DAY, 14),
    };
    let interval = Some(prost_types::Duration { seconds, nanos: 0 });
    Pace {
        standard: Some(PhasePace { interval, ..PhasePace::default() }),
        automate_after_misses: Some(AUTOMATED_AFTER_MISSES),
        vacation_days,
        ..Pace::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: &str, players: (u32, u32)) -> JoinQueueRequest {
        JoinQueueRequest {
            kind: kind.to_owned(),
            players_min: players.0,
            players_max: players.1,
            pace: QuickPace::Live.into(),
            ..JoinQueueRequest::default()
        }
    }

    fn refusal(change: impl FnOnce(&mut JoinQueueRequest)) -> String {
        let mut request = asked("diplomacy", (0, 0));
        change(&mut request);
        filled(request).expect_err("a refusal").to_string()
    }

    #[test]
    fn players_default_to_the_usual_number() {
        let range = |kind: &str, players| {
            let filled = filled(asked(kind, players)).unwrap();
            (filled.players_min, filled.players_max)
        };
        assert_eq!(range("diplomacy", (0, 0)), (7, 7));
        assert_eq!(range("diplomacy", (0, 3)), (3, 3));
        let usual = usual_players("star-empires").unwrap() as u32;
        assert_eq!(range("star-empires", (0, 0)), (usual, usual));
        assert_eq!(range("star-empires", (2, 3)), (2, 3));
    }

    #[test]
    fn requests_that_no_game_fits_are_rejected() {
        let long = Some(prost_types::Duration { seconds: 8 * 86_400, nanos: 0 });
        for (said, expected) in [
            (refusal(|request| request.kind = "chess".to_owned()), "\"chess\" does not exist"),
            (refusal(|request| request.players_max = 8), "not 8"),
            (refusal(|request| request.players_min = 1), "not 1"),
            (refusal(|request| request.pace = 0), "paces"),
            (refusal(|request| request.pace = 9), "paces"),
            (refusal(|request| request.bots_after = long), "0 to 7 days"),
            (refusal(|request| request.preferences = vec![8]), "Seat 8 does not exist"),
            (refusal(|request| request.preferences = vec![2, 2]), "twice"),
        ] {
            assert!(said.contains(expected), "{said}");
        }
        let empires = JoinQueueRequest { preferences: vec![1], ..asked("star-empires", (0, 0)) };
        assert!(filled(empires).unwrap_err().to_string().contains("only in their number"));
    }

    #[test]
    fn kinds_for_one_player_have_no_queue() {
        for kind in registry::KINDS.iter() {
            let one = *kind.rules.options(None).unwrap().1.end() < 2;
            let refused = filled(asked(kind.id, (0, 0))).err().map(|failure| failure.to_string());
            assert_eq!(refused.is_some_and(|said| said.contains("one player")), one, "{}", kind.id);
        }
    }

    #[test]
    fn every_pace_and_kind_makes_a_game_that_starts() {
        for kind in registry::KINDS.iter() {
            let Ok(request) = filled(asked(kind.id, (0, 0))) else { continue };
            for pace in [QuickPace::Fast, QuickPace::Live, QuickPace::Daily, QuickPace::Slow] {
                let player = |index: u32| MatchedPlayer {
                    player: Some(heliopause_proto::store::v1::Person {
                        player_id: format!("p-{index}"),
                        name: format!("Player {index}"),
                    }),
                    preferences: vec![1],
                };
                let matched = StoredMatch {
                    kind: kind.id.to_owned(),
                    pace: pace.into(),
                    rated: true,
                    players: (0..request.players_min).map(player).collect(),
                    ..StoredMatch::default()
                };
                let created = game_of(&matched, "game", &[7; 32]);
                let (table, _) =
                    heliopause_table::Table::create(created, [7; 32], "", 0).expect(kind.id);
                assert_eq!(table.status(), heliopause_proto::v1::GameStatus::Running);
            }
        }
    }
}
