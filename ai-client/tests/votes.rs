//! Votes of automated seats on a draw and on canceling a game.

use heliopause_ai::bot::{Level, Stop};
use heliopause_ai::games::{self, GameAdapter, Playable};
use heliopause_diplomacy::{Diplomacy, Options as DiplomacyOptions, Variant};
use heliopause_games::Enveloped as _;
use heliopause_kernel::{CloseCause, Dice, Game, Seat, Viewer, Wire as _};
use heliopause_proto::v1::{GameView, Lease, Vote, VoteSubject};
use heliopause_star_empires::StarEmpires;
use heliopause_starships::Starships;
use heliopause_stellar_conquest::StellarConquest;

use crate::play;

fn new_game<G: Game>(options: G::Options, players: usize) -> G {
    play::new_game(options, players, 3).0
}

fn adapter(kind: &str) -> &'static dyn GameAdapter {
    games::find(kind).expect("it is played")
}

fn lease(view: GameView, seat: Seat, memo: &[u8]) -> Lease {
    let (seed, memo) = (vec![1; 32].into(), memo.to_vec().into());
    Lease { seat: seat.number(), view: Some(view), seed, memo, ..Lease::default() }
}

fn automated_vote(
    kind: &str,
    view: GameView,
    seat: Seat,
    memo: &[u8],
    subject: VoteSubject,
) -> bool {
    let lease = lease(view, seat, memo);
    let vote = Vote { subject: subject.into(), ..Vote::default() };
    let say = |level| adapter(kind).vote(&lease, &vote, level).expect("a voice");
    let voice = say(Level::Standard);
    assert_eq!((say(Level::Standard), say(Level::Strong)), (voice, voice), "the same every time");
    voice
}

fn memo(kind: &str, view: GameView, seat: Seat, profile: &str, before: &[u8]) -> Vec<u8> {
    let lease = Lease { profile: profile.to_owned(), ..lease(view, seat, before) };
    let draft = adapter(kind).think(&lease, Level::Standard, &Stop::new()).expect("an answer");
    draft.memo.unwrap_or_else(|| before.to_vec())
}

fn diplomacy(owned: [usize; 7], year: u32) -> Diplomacy {
    let mut position =
        Diplomacy::write_position(&new_game(DiplomacyOptions::of(Variant::Standard), 7));
    let table = position.table.as_mut().expect("a table");
    table.year = year;
    let mut centers: Vec<String> =
        heliopause_diplomacy::centers().iter().map(|at| at.to_string()).collect();
    for (power, owned) in table.powers.iter_mut().zip(owned) {
        power.centers = centers.drain(..owned).collect();
    }
    Diplomacy::read_position(&position).expect("a position")
}

fn view_of(game: &Diplomacy, seat: usize) -> GameView {
    Diplomacy::seal_view(Diplomacy::write_view(&game.view(Viewer::Seat(Seat::at(seat)))))
}

/// Returns the votes on a draw in `year` if the centers last changed in `since`.
fn draw(owned: [usize; 7], since: u32, year: u32) -> Vec<bool> {
    let (before, now) = (diplomacy(owned, since), diplomacy(owned, year));
    let say = |seat: usize| {
        let memo = memo("diplomacy", view_of(&before, seat), Seat::at(seat), "power", &[]);
        automated_vote("diplomacy", view_of(&now, seat), Seat::at(seat), &memo, VoteSubject::Draw)
    };
    (0..7).filter(|&seat| owned[seat] > 0).map(say).collect()
}

#[test]
fn rule_5_only_equal_leaders_of_a_stalemate_agree_to_a_draw() {
    assert_eq!(draw([15, 15, 4, 0, 0, 0, 0], 1908, 1911), [true; 3]);
    assert_eq!(draw([12, 11, 11, 0, 0, 0, 0], 1908, 1911), [true; 3]);
    assert_eq!(draw([17, 13, 4, 0, 0, 0, 0], 1908, 1911), [false, true, true]);
}

#[test]
fn rule_5_there_is_no_draw_without_a_stalemate() {
    let level = [5, 5, 5, 5, 5, 5, 4];
    assert_eq!(draw(level, 1901, 1901), [false; 7], "the first turn");
    assert_eq!(draw(level, 1901, 1905), [false; 7], "too early");
    assert_eq!(draw(level, 1901, 1906), [false; 7], "nothing has changed since the start");
    assert_eq!(draw(level, 1902, 1905), [false; 7], "too early");
    assert_eq!(draw(level, 1903, 1906), [true; 7], "nothing has happened for three years");
    assert_eq!(draw(level, 1909, 1911), [false; 7], "a center changed hands two years ago");
    let (before, now) = (diplomacy([4; 7], 1901), diplomacy(level, 1911));
    let memo = memo("diplomacy", view_of(&before, 0), Seat::at(0), "power", &[]);
    assert!(!automated_vote("diplomacy", view_of(&now, 0), Seat::at(0), &memo, VoteSubject::Draw));
    let unknown =
        automated_vote("diplomacy", view_of(&now, 0), Seat::at(0), &[], VoteSubject::Draw);
    assert!(!unknown, "a seat that has seen nothing yet");
}

#[test]
fn rule_5_only_a_hopeless_seat_agrees_to_cancel() {
    let game = diplomacy([1, 16, 9, 4, 3, 1, 0], 1901);
    let say = |seat| {
        automated_vote("diplomacy", view_of(&game, seat), Seat::at(seat), &[], VoteSubject::Cancel)
    };
    assert_eq!((0..6).map(say).collect::<Vec<_>>(), [true, false, false, false, false, true]);
}

#[test]
fn rule_5_a_hopeless_seat_agrees_to_a_draw_without_a_stalemate() {
    let hopeless = |since, year| draw([16, 16, 1, 1, 0, 0, 0], since, year);
    assert_eq!(hopeless(1904, 1904), [false, false, true, true]);
    assert_eq!(hopeless(1901, 1902), [false; 4], "nothing has changed since the start");
    assert_eq!(hopeless(1908, 1911), [true; 4], "two equal leaders of a stalemate");
}

#[test]
fn rule_5_a_change_in_the_first_round_counts() {
    let (seat, level) = (Seat::at(0), [5, 5, 5, 5, 5, 5, 4]);
    let see = |owned, before: &[u8]| {
        memo("diplomacy", view_of(&diplomacy(owned, 1901), 0), seat, "power", before)
    };
    let changed = see(level, &see([4; 7], &[]));
    let now = view_of(&diplomacy(level, 1906), 0);
    assert!(automated_vote("diplomacy", now, seat, &changed, VoteSubject::Draw));
}

/// The byte of a memo that tells whether anything has changed.
const EVER: usize = 12;

fn voices<G: Playable>(kind: &str, mut game: G) {
    let seat = game.pending().first().expect("a decision").seat;
    let profile = play::profile(&game, seat);
    let view = |game: &G| G::seal_view(G::write_view(&game.view(Viewer::Seat(seat))));
    let round = |game: &G| G::holdings(&game.view(Viewer::Seat(seat))).0;
    let first = memo(kind, view(&game), seat, profile, &[]);
    let mut dice = Dice::new([4; 32]);
    while round(&game) < 2 * G::PATIENCE {
        let automated_vote = |subject| automated_vote(kind, view(&game), seat, &first, subject);
        assert!(!automated_vote(VoteSubject::Draw), "{kind}, {}", game.progress());
        if round(&game) < 2 {
            assert!(!automated_vote(VoteSubject::Cancel), "{kind}");
        }
        game.close(CloseCause::Deadline, &mut dice);
        if game.outcome().is_some() {
            // Empires that never land are eliminated in the first year.
            assert_eq!(kind, "it-came-from-outer-space");
            return;
        }
    }
    let vote = |memo: &[u8]| automated_vote(kind, view(&game), seat, memo, VoteSubject::Draw);
    assert!(!vote(&first), "{kind}: nothing has changed since the start");
    let mut once = first.clone();
    once[EVER] = 1;
    assert!(vote(&once), "{kind}: nothing has changed until {}", game.progress());
    once[0] ^= 1;
    assert!(!vote(&once), "{kind}: it has changed");
}

#[test]
fn rule_5_draws_require_a_stalemate_in_every_game() {
    let options = heliopause_starships::Options::default();
    voices::<Starships>("starships-at-large", new_game(options, 4));
    let options = heliopause_star_empires::Options::default();
    voices::<StarEmpires>("star-empires", new_game(options, 4));
    for kind in ["stellar-conquest", "alone-in-outer-space"] {
        let edition = StellarConquest::editions()
            .into_iter()
            .find(|edition| edition.id == kind)
            .expect("an edition");
        let players = *StellarConquest::players(&edition.options).end();
        voices(kind, new_game::<StellarConquest>(edition.options, players));
    }
    for (kind, variant) in
        [("diplomacy", Variant::Standard), ("it-came-from-outer-space", Variant::OuterSpace)]
    {
        let options = DiplomacyOptions::of(variant);
        let players = (*Diplomacy::players(&options).end()).min(7);
        voices(kind, new_game::<Diplomacy>(options, players));
    }
}

#[test]
fn random_tosses_a_coin_and_administrative_votes_are_errors() {
    let game = diplomacy([4; 7], 1901);
    let view = view_of(&game, 0);
    let lease = |seed: u8| Lease {
        seat: 1,
        view: Some(view.clone()),
        seed: vec![seed; 32].into(),
        ..Lease::default()
    };
    let vote = |subject: VoteSubject| Vote { subject: subject.into(), ..Vote::default() };
    let toss = |seed| {
        adapter("diplomacy").vote(&lease(seed), &vote(VoteSubject::Draw), Level::Random).unwrap()
    };
    let yes = (0..64).filter(|&seed| toss(seed)).count();
    assert!((16..48).contains(&yes), "{yes} of 64");
    let is_error = |lease: &Lease, subject| {
        adapter("diplomacy").vote(lease, &vote(subject), Level::Standard).is_err()
    };
    let administrative = "PAUSE RESUME EXTEND REPLACE".split(' ');
    for name in administrative.map(|name| format!("VOTE_SUBJECT_{name}")) {
        assert!(is_error(&lease(1), VoteSubject::from_str_name(&name).unwrap()), "{name}");
    }
    assert!(is_error(&Lease { view: None, ..lease(1) }, VoteSubject::Draw));
}
