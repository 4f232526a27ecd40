//! Adding the results of a game to the stored statistics and ratings.

use heliopause_proto::store::v1::{
    LadderResults, Opponent, PlayedChoice, PlayedGames, RatingPoint, StoredRating,
};

use super::DECISIONS_KEPT;
use super::ladder::{self, CERTAIN_BELOW, Standing};
use super::results::{Finish, Results};
use crate::store::Millis;

const HISTORY: usize = 500;
const OPPONENTS: usize = 500;
const CHOICES: usize = 50;

const THOUSANDTHS: f64 = 1e3;
const MILLIONTHS: f64 = 1e6;
/// Above every rating, in thousandths. Keys of the leaderboard are the distance from here.
const BOARD_TOP: i64 = 99_999_999;

/// Adds a player's result to the player's statistics.
pub(super) fn add_result(played: &mut PlayedGames, results: &Results, own: &Finish) {
    let at = played.ladders.iter().position(|known| known.ladder == results.ladder);
    let at = at.unwrap_or_else(|| {
        let ladder = results.ladder.clone();
        played.ladders.push(LadderResults { ladder, ..LadderResults::default() });
        played.ladders.len() - 1
    });
    let known = &mut played.ladders[at];
    let count = if own.left {
        &mut known.abandoned
    } else if own.won {
        &mut known.won
    } else if own.drawn {
        &mut known.drawn
    } else {
        &mut known.lost
    };
    *count += 1;
    known.rated += u32::from(results.rated);
    for (role, opening) in &own.choices {
        let new = || PlayedChoice {
            role: role.clone(),
            opening: opening.clone(),
            ..PlayedChoice::default()
        };
        let is_it = |one: &PlayedChoice| one.role == *role && one.opening == *opening;
        let choice = latest(&mut known.choices, CHOICES, is_it, new);
        choice.games += 1;
        choice.won += u32::from(own.won);
    }
    played.answered += own.answered;
    played.missed += own.missed;
    played.decision_seconds.extend(&own.seconds);
    let surplus = played.decision_seconds.len().saturating_sub(DECISIONS_KEPT);
    played.decision_seconds.drain(..surplus);
    for other in results.seats.iter().filter(|one| one.is_player() && one.entity != own.entity) {
        let player_id = &other.entity;
        let new = || Opponent { player_id: player_id.clone(), ..Opponent::default() };
        let is_it = |one: &Opponent| one.player_id == *player_id;
        let opponent = latest(&mut played.opponents, OPPONENTS, is_it, new);
        let count = match own.place.cmp(&other.place) {
            std::cmp::Ordering::Less => &mut opponent.won,
            std::cmp::Ordering::Equal => &mut opponent.drawn,
            std::cmp::Ordering::Greater => &mut opponent.lost,
        };
        *count += 1;
    }
}

/// Moves an item to the end of a list, or adds it. Drops the first item of a full list.
fn latest<T>(
    items: &mut Vec<T>,
    max: usize,
    is_it: impl Fn(&T) -> bool,
    new: impl FnOnce() -> T,
) -> &mut T {
    let item = match items.iter().position(is_it) {
        Some(at) => items.remove(at),
        None => new(),
    };
    if items.len() == max {
        items.remove(0);
    }
    items.push(item);
    items.last_mut().expect("an item was added")
}

/// Returns the ratings of the entities after a game. `seats` has the entity (an index of `before`)
/// and the result of each seat. A game of one entity against itself rates nothing.
pub(super) fn rated(
    ladder: &str,
    entities: &[&str],
    before: &[&StoredRating],
    seats: &[(usize, &Finish)],
    ended: Millis,
) -> Vec<StoredRating> {
    if entities.len() < 2 {
        return Vec::new();
    }
    let standings: Vec<Standing> = before.iter().map(|stored| standing(stored)).collect();
    let places: Vec<(usize, u32)> = seats.iter().map(|(of, finish)| (*of, finish.place)).collect();
    let after = ladder::rate(&standings, &places);
    let next = |(index, after): (usize, Standing)| {
        let mut rating = StoredRating {
            ladder: ladder.to_owned(),
            entity: entities[index].to_owned(),
            ..before[index].clone()
        };
        let current = RatingPoint {
            time: ended,
            rating: (after.rating * THOUSANDTHS).round() as i64,
            deviation: (after.deviation * THOUSANDTHS).round() as i64,
        };
        rating.current = Some(current);
        rating.volatility_millionths = (after.volatility * MILLIONTHS).round() as i64;
        rating.games += 1;
        let own = || seats.iter().filter(|(of, _)| *of == index);
        rating.won += u32::from(own().any(|(_, finish)| finish.won));
        rating.drawn += u32::from(own().any(|(_, finish)| finish.drawn));
        if rating.history.len() == HISTORY {
            rating.history.remove(0);
        }
        rating.history.push(current);
        rating
    };
    after.into_iter().enumerate().map(next).collect()
}

fn standing(stored: &StoredRating) -> Standing {
    let Some(current) = stored.current else { return Standing::default() };
    Standing {
        rating: current.rating as f64 / THOUSANDTHS,
        deviation: current.deviation as f64 / THOUSANDTHS,
        volatility: stored.volatility_millionths as f64 / MILLIONTHS,
    }
}

/// Returns the value and the deviation of a rating in points.
pub(super) fn points(point: &RatingPoint) -> (f64, f64) {
    (point.rating as f64 / THOUSANDTHS, point.deviation as f64 / THOUSANDTHS)
}

pub(super) fn is_provisional(point: &RatingPoint) -> bool {
    points(point).1 > CERTAIN_BELOW
}

/// Returns the key that sorts a rating into its leaderboard: the ladder, and the distance from the
/// highest possible rating. Hidden and provisional ratings come after all others.
pub(super) fn board_key(rating: &StoredRating, hidden: bool) -> String {
    let certain = rating.current.filter(|current| !hidden && !is_provisional(current));
    match certain {
        Some(current) => {
            let distance = (BOARD_TOP - current.rating).clamp(0, BOARD_TOP);
            format!("{}{distance:08}", board(&rating.ladder))
        }
        None => format!("{}~", board(&rating.ladder)),
    }
}

/// Returns the first part of the keys of a leaderboard.
pub(super) fn board(ladder: &str) -> String {
    format!("{ladder} ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finish(entity: &str, place: u32) -> Finish {
        Finish { entity: entity.to_owned(), place, won: place == 1, ..Finish::default() }
    }

    fn results(seats: Vec<Finish>) -> Results {
        Results { ladder: "go/3+".to_owned(), rated: true, seats }
    }

    #[test]
    fn results_are_counted_by_ladder_opponent_and_choice() {
        let mut played = PlayedGames::default();
        let choices = vec![("Austria".to_owned(), String::new())];
        let own = |place| Finish { choices: choices.clone(), ..finish("ann", place) };
        let others = || vec![finish("bob", 2), finish("bot:captain/strong", 1), finish("cid", 2)];
        for place in [1, 2, 3] {
            let mut seats = others();
            seats.push(own(place));
            add_result(&mut played, &results(seats.clone()), &seats[3]);
        }
        let left = Finish { left: true, ..own(5) };
        add_result(&mut played, &results(vec![finish("bob", 1), left.clone()]), &left);
        let ladder = &played.ladders[0];
        assert_eq!((ladder.won, ladder.drawn, ladder.lost, ladder.abandoned), (1, 0, 2, 1));
        assert_eq!((ladder.rated, played.ladders.len()), (4, 1));
        let against = |opponent: &Opponent| {
            (opponent.player_id.clone(), opponent.won, opponent.drawn, opponent.lost)
        };
        let expected = [("cid".to_owned(), 1, 1, 1), ("bob".to_owned(), 1, 1, 2)];
        assert_eq!(played.opponents.iter().map(against).collect::<Vec<_>>(), expected);
        assert_eq!((ladder.choices[0].games, ladder.choices[0].won), (4, 1));
    }

    #[test]
    fn statistics_are_bounded() {
        let mut played = PlayedGames::default();
        for game in 0..OPPONENTS + 3 {
            let mut own = finish("ann", 1);
            own.seconds = (0..7).collect();
            own.choices.push((format!("role {game}"), String::new()));
            let seats = vec![own.clone(), finish(&format!("p{game}"), 2)];
            add_result(&mut played, &results(seats), &own);
        }
        assert_eq!(played.opponents.len(), OPPONENTS);
        assert_eq!(played.opponents[0].player_id, "p3");
        assert_eq!(played.ladders[0].choices.len(), CHOICES);
        assert_eq!(played.decision_seconds.len(), DECISIONS_KEPT);
    }

    #[test]
    fn ratings_are_stored_with_three_decimals_and_a_bounded_history() {
        let own = [finish("ann", 1), finish("bob", 2)];
        let seats = [(0, &own[0]), (1, &own[1])];
        let mut stored = vec![StoredRating::default(); 2];
        for game in 0..HISTORY as Millis + 2 {
            let before: Vec<&StoredRating> = stored.iter().collect();
            stored = rated("go/2", &["ann", "bob"], &before, &seats, game);
        }
        let ann = &stored[0];
        assert_eq!((ann.games, ann.won, ann.history.len()), (HISTORY as u32 + 2, 502, HISTORY));
        assert_eq!(ann.history[0].time, 2);
        assert_eq!(ann.history.last(), ann.current.as_ref());
        let again = standing(ann);
        assert!(again.rating > standing(&stored[1]).rating);
    }

    #[test]
    fn a_game_of_one_entity_against_itself_is_not_rated() {
        let own = [finish("bot:captain/strong", 1), finish("bot:captain/strong", 2)];
        let (seats, before) = ([(0, &own[0]), (0, &own[1])], StoredRating::default());
        let rated = rated("go/2", &["bot:captain/strong"], &[&before], &seats, 1);
        assert!(rated.is_empty());
    }

    #[test]
    fn the_leaderboard_is_sorted_by_rating_without_uncertain_ones() {
        let rating = |rating, deviation| StoredRating {
            ladder: "go/2".to_owned(),
            current: Some(RatingPoint { time: 0, rating, deviation }),
            ..StoredRating::default()
        };
        let key = |points, deviation| board_key(&rating(points, deviation), false);
        assert!(key(1_600_000, 50_000) < key(1_599_999, 50_000));
        assert!(key(-5, 50_000) > key(3_000_000, 110_000));
        assert_eq!(key(3_000_000, 110_001), "go/2 ~");
        assert_eq!(board_key(&rating(3_000_000, 50_000), true), "go/2 ~");
        assert!(key(-99_999_999, 50_000).as_str() < "go/2 ~");
    }
}
