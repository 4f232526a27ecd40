//! How automated seats vote: for a draw only in a stalemate in which they do not lead, and for giving
//! a game up only without hope.

use heliopause_ai::bot::{Level, Stop};
use heliopause_ai::games::{self, Kit, Playable};
use heliopause_diplomacy::{Diplomacy, Options as DiplomacyOptions, Variant};
use heliopause_kernel::{Dice, Game, Seat, Setup, Viewer, Why, Wire};
use heliopause_proto::v1::{GameView, Lease, Vote, VoteSubject, game_view};
use heliopause_star_empires::StarEmpires;
use heliopause_starships::Starships;
use heliopause_stellar_conquest::StellarConquest;

fn new_game<G: Game>(options: G::Options, players: usize) -> G {
    G::new(&Setup { options, players }, &mut Dice::new([3; 32])).expect("a game").0
}

fn kit(kind: &str) -> &'static dyn Kit {
    games::find(kind).expect("it is played")
}

fn lease(view: game_view::Game, seat: Seat, memo: &[u8]) -> Lease {
    let view = Some(GameView { game: Some(view) });
    let (seed, memo) = (vec![1; 32].into(), memo.to_vec().into());
    Lease { seat: seat.number(), view, seed, memo, ..Lease::default() }
}

/// What a seat says, at any level that thinks.
fn says(kind: &str, view: game_view::Game, seat: Seat, memo: &[u8], subject: VoteSubject) -> bool {
    let lease = lease(view, seat, memo);
    let vote = Vote { subject: subject.into(), ..Vote::default() };
    let say = |level| kit(kind).vote(&lease, &vote, level).expect("a voice");
    let voice = say(Level::Standard);
    assert_eq!((say(Level::Standard), say(Level::Strong)), (voice, voice), "the same every time");
    voice
}

/// The memo that a seat's answer leaves.
fn memo(kind: &str, view: game_view::Game, seat: Seat, profile: &str, before: &[u8]) -> Vec<u8> {
    let lease = Lease { profile: profile.to_owned(), ..lease(view, seat, before) };
    let draft = kit(kind).think(&lease, Level::Standard, &Stop::new()).expect("an answer");
    draft.memo.unwrap_or_else(|| before.to_vec())
}

/// A game of Diplomacy in which the powers own so many centers, in seat order.
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

fn view_of(game: &Diplomacy, seat: usize) -> game_view::Game {
    game_view::Game::Diplomacy(Diplomacy::write_view(&game.view(Viewer::Seat(Seat::at(seat)))))
}

/// What the first powers say about a draw in a year, if the centers were last seen to change in
/// `since`.
fn draw(owned: [usize; 7], since: u32, year: u32) -> Vec<bool> {
    let (before, now) = (diplomacy(owned, since), diplomacy(owned, year));
    let say = |seat: usize| {
        let memo = memo("diplomacy", view_of(&before, seat), Seat::at(seat), "power", &[]);
        says("diplomacy", view_of(&now, seat), Seat::at(seat), &memo, VoteSubject::Draw)
    };
    (0..7).filter(|&seat| owned[seat] > 0).map(say).collect()
}

#[test]
fn rule_5_equal_leaders_of_a_stalemate_agree_to_a_draw_and_a_single_leader_does_not() {
    assert_eq!(draw([15, 15, 4, 0, 0, 0, 0], 1908, 1911), [true; 3]);
    assert_eq!(draw([12, 11, 11, 0, 0, 0, 0], 1908, 1911), [true; 3]);
    assert_eq!(draw([17, 13, 4, 0, 0, 0, 0], 1908, 1911), [false, true, true]);
}

#[test]
fn rule_5_there_is_no_draw_before_the_game_was_fought_out() {
    let level = [5, 5, 5, 5, 5, 5, 4];
    assert_eq!(draw(level, 1901, 1901), [false; 7], "the first turn");
    assert_eq!(draw(level, 1901, 1905), [false; 7], "too early");
    assert_eq!(draw(level, 1901, 1906), [true; 7], "nothing has happened for five years");
    assert_eq!(draw(level, 1909, 1911), [false; 7], "a center changed hands two years ago");
    // The centers of that memo are others: something has changed since then.
    let (before, now) = (diplomacy([4; 7], 1901), diplomacy(level, 1911));
    let memo = memo("diplomacy", view_of(&before, 0), Seat::at(0), "power", &[]);
    assert!(!says("diplomacy", view_of(&now, 0), Seat::at(0), &memo, VoteSubject::Draw));
    let unknown = says("diplomacy", view_of(&now, 0), Seat::at(0), &[], VoteSubject::Draw);
    assert!(!unknown, "a seat that has seen nothing yet");
}

#[test]
fn rule_5_only_a_seat_without_hope_gives_the_game_up() {
    let game = diplomacy([1, 16, 9, 4, 3, 1, 0], 1901);
    let say =
        |seat| says("diplomacy", view_of(&game, seat), Seat::at(seat), &[], VoteSubject::Cancel);
    assert_eq!((0..6).map(say).collect::<Vec<_>>(), [true, false, false, false, false, true]);
}

/// Every kind of game: no draw on the first turn, nor while something changes, but once everybody
/// has let all turns pass.
fn voices<G: Playable>(kind: &str, mut game: G, wrap: impl Fn(G::ViewMessage) -> game_view::Game) {
    let seat = game.pending().first().expect("a decision").seat;
    let Setup { options, players } = game.setup();
    let profile = G::cast(&options, players).roles[seat.index()].profile;
    let view = |game: &G| wrap(G::write_view(&game.view(Viewer::Seat(seat))));
    let round = |game: &G| G::holdings(&game.view(Viewer::Seat(seat))).0;
    let first = memo(kind, view(&game), seat, profile, &[]);
    let mut dice = Dice::new([4; 32]);
    while round(&game) < 2 * G::PATIENCE {
        let says = |subject| says(kind, view(&game), seat, &first, subject);
        assert!(!says(VoteSubject::Draw), "{kind}, {}", game.progress());
        if round(&game) < 2 {
            assert!(!says(VoteSubject::Cancel), "{kind}");
        }
        game.close(Why::Deadline, &mut dice);
        if game.outcome().is_some() {
            // Empires that never land fall in the first year.
            assert_eq!(kind, "it-came-from-outer-space");
            return;
        }
    }
    let last = says(kind, view(&game), seat, &first, VoteSubject::Draw);
    assert!(last, "{kind}: nothing has changed until {}", game.progress());
    let mut changed = first;
    changed[0] ^= 1;
    assert!(!says(kind, view(&game), seat, &changed, VoteSubject::Draw), "{kind}: it has changed");
}

#[test]
fn rule_5_every_game_has_draws_in_a_stalemate_only() {
    voices::<Starships>(
        "starships-at-large",
        new_game(heliopause_starships::Options::default(), 4),
        game_view::Game::StarshipsAtLarge,
    );
    voices::<StarEmpires>(
        "star-empires",
        new_game(heliopause_star_empires::Options::default(), 4),
        game_view::Game::StarEmpires,
    );
    for kind in ["stellar-conquest", "alone-in-outer-space"] {
        let edition = StellarConquest::editions()
            .into_iter()
            .find(|edition| edition.id == kind)
            .expect("an edition");
        let players = *StellarConquest::players(&edition.options).end();
        let game = new_game::<StellarConquest>(edition.options, players);
        voices(kind, game, game_view::Game::StellarConquest);
    }
    for (kind, variant) in
        [("diplomacy", Variant::Standard), ("it-came-from-outer-space", Variant::OuterSpace)]
    {
        let options = DiplomacyOptions::of(variant);
        let players = (*Diplomacy::players(&options).end()).min(7);
        voices(kind, new_game::<Diplomacy>(options, players), game_view::Game::Diplomacy);
    }
}

#[test]
fn random_tosses_a_coin_and_nobody_votes_about_how_a_game_is_run() {
    let game = diplomacy([4; 7], 1901);
    let view = view_of(&game, 0);
    let lease = |seed: u8| Lease {
        seat: 1,
        view: Some(GameView { game: Some(view.clone()) }),
        seed: vec![seed; 32].into(),
        ..Lease::default()
    };
    let vote = |subject: VoteSubject| Vote { subject: subject.into(), ..Vote::default() };
    let toss = |seed| {
        kit("diplomacy").vote(&lease(seed), &vote(VoteSubject::Draw), Level::Random).unwrap()
    };
    let yes = (0..64).filter(|&seed| toss(seed)).count();
    assert!((16..48).contains(&yes), "{yes} of 64");
    for subject in
        [VoteSubject::Pause, VoteSubject::Resume, VoteSubject::Extend, VoteSubject::Replace]
    {
        assert!(kit("diplomacy").vote(&lease(1), &vote(subject), Level::Standard).is_err());
    }
    let malformed = Lease { view: None, ..lease(1) };
    assert!(kit("diplomacy").vote(&malformed, &vote(VoteSubject::Draw), Level::Standard).is_err());
}
