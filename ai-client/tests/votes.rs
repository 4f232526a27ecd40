//! How automated seats vote: an equal share is taken by whoever expects no more, and a game given
//! up only without hope.

use heliopause_ai::bot::Level;
use heliopause_ai::games::{self, Kit, Playable};
use heliopause_diplomacy::{Diplomacy, Options as DiplomacyOptions, Variant};
use heliopause_kernel::{Dice, Game, Seat, Setup, Viewer, Wire};
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

/// What a seat says, at any level that thinks.
fn says(kind: &str, view: game_view::Game, seat: Seat, subject: VoteSubject) -> bool {
    let view = Some(GameView { game: Some(view) });
    let lease = Lease { seat: seat.number(), view, seed: vec![1; 32].into(), ..Lease::default() };
    let vote = Vote { subject: subject.into(), ..Vote::default() };
    let say = |level| kit(kind).vote(&lease, &vote, level).expect("a voice");
    let voice = say(Level::Standard);
    assert_eq!((say(Level::Standard), say(Level::Strong)), (voice, voice), "the same every time");
    voice
}

/// A game of Diplomacy in which the powers own so many centers, in seat order.
fn diplomacy(owned: [usize; 7]) -> Diplomacy {
    let mut position =
        Diplomacy::write_position(&new_game(DiplomacyOptions::of(Variant::Standard), 7));
    let table = position.table.as_mut().expect("a table");
    let mut centers: Vec<String> =
        heliopause_diplomacy::centers().iter().map(|at| at.to_string()).collect();
    for (power, owned) in table.powers.iter_mut().zip(owned) {
        power.centers = centers.drain(..owned).collect();
    }
    Diplomacy::read_position(&position).expect("a position")
}

fn power_says(game: &Diplomacy, seat: usize, subject: VoteSubject) -> bool {
    let seat = Seat::at(seat);
    let view = Diplomacy::write_view(&game.view(Viewer::Seat(seat)));
    says("diplomacy", game_view::Game::Diplomacy(view), seat, subject)
}

#[test]
fn rule_5_who_leads_or_stands_well_wants_no_draw_and_who_stands_worse_takes_it() {
    // The power that proposed had 2 centers of 34 in the game that showed the fault.
    let game = diplomacy([2, 12, 9, 4, 4, 3, 0]);
    let draw: Vec<bool> = (0..6).map(|seat| power_says(&game, seat, VoteSubject::Draw)).collect();
    assert_eq!(draw, [true, false, false, true, true, true]);
    let equal = diplomacy([4; 7]);
    assert!(
        (0..7).all(|seat| power_says(&equal, seat, VoteSubject::Draw)),
        "nobody expects more than their share"
    );
}

#[test]
fn rule_5_only_who_is_without_hope_gives_the_game_up() {
    let game = diplomacy([1, 16, 9, 4, 3, 1, 0]);
    let cancel: Vec<bool> =
        (0..6).map(|seat| power_says(&game, seat, VoteSubject::Cancel)).collect();
    assert_eq!(cancel, [true, false, false, false, false, true]);
}

/// A voice of each seat in every kind of game as it begins.
fn voices<G: Playable>(kind: &str, game: &G, wrap: impl Fn(G::ViewMessage) -> game_view::Game) {
    for seat in Seat::first(2.min(game.setup().players)) {
        let view = || wrap(G::write_view(&game.view(Viewer::Seat(seat))));
        // By what a seat sees it may stand better than the others; nobody has lost all hope.
        says(kind, view(), seat, VoteSubject::Draw);
        assert!(!says(kind, view(), seat, VoteSubject::Cancel), "{kind}");
    }
}

#[test]
fn every_game_has_voices() {
    voices::<Starships>(
        "starships-at-large",
        &new_game(heliopause_starships::Options::default(), 4),
        game_view::Game::StarshipsAtLarge,
    );
    voices::<StarEmpires>(
        "star-empires",
        &new_game(heliopause_star_empires::Options::default(), 4),
        game_view::Game::StarEmpires,
    );
    for kind in ["stellar-conquest", "alone-in-outer-space", "fate-of-empire"] {
        let edition = StellarConquest::editions()
            .into_iter()
            .find(|edition| edition.id == kind)
            .expect("an edition");
        let players = *StellarConquest::players(&edition.options).end();
        let game = new_game::<StellarConquest>(edition.options, players);
        voices(kind, &game, game_view::Game::StellarConquest);
    }
    for (kind, variant) in
        [("diplomacy", Variant::Standard), ("it-came-from-outer-space", Variant::OuterSpace)]
    {
        let options = DiplomacyOptions::of(variant);
        let players = *Diplomacy::players(&options).end();
        voices(kind, &new_game::<Diplomacy>(options, players), game_view::Game::Diplomacy);
    }
}

#[test]
fn random_tosses_a_coin_and_nobody_votes_about_how_a_game_is_run() {
    let game = diplomacy([4; 7]);
    let view =
        game_view::Game::Diplomacy(Diplomacy::write_view(&game.view(Viewer::Seat(Seat::at(0)))));
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
