//! Messages of the games: what reads is written and read back the same, and a position that reads
//! is one to play on.

use heliopause_games::Enveloped;
use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Viewer, Why, Wire};
use prost::{Message, Name};

use crate::messages;
use crate::source::{Chance, Source};

/// The types of a game's messages can be decoded and made by their descriptors.
pub(crate) trait Known: Message + Name + Default + PartialEq + Clone {}
impl<M: Message + Name + Default + PartialEq + Clone> Known for M {}

/// A message as it came, or made of choices; none if the bytes are no such message.
pub(crate) fn draw<M: Known>(source: &mut Source<'_>) -> Option<M> {
    if source.yes() { Some(messages::typed(source)) } else { M::decode(source.rest()).ok() }
}

/// The first byte names the game, the second the kind of message.
pub fn wire(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        of_game::<Own>(&mut source);
    });
}

fn of_game<G>(source: &mut Source<'_>)
where
    G: Enveloped,
    G::OptionsMessage: Known,
    G::OrderMessage: Known,
    G::EventMessage: Known,
    G::ViewMessage: Known,
    G::PositionMessage: Known,
{
    match source.byte() % 5 {
        0 => {
            let Some(message) = draw::<G::OptionsMessage>(source) else { return };
            let Ok(options) = G::read_options(&message) else { return };
            let written = G::write_options(&options);
            let again = G::read_options(&written).expect("options that were written read back");
            assert!(G::write_options(&again) == written, "{}: options read back as others", G::ID);
            let players = G::players(&options);
            assert!(players.start() <= players.end() && *players.end() <= Seat::MAX);
            G::cast(&options, *players.end());
            G::unattended(options);
        }
        1 => {
            let Some(message) = draw::<G::OrderMessage>(source) else { return };
            let Ok(order) = G::read_order(&message) else { return };
            let again = G::read_order(&G::write_order(&order));
            assert_eq!(again.as_ref(), Ok(&order), "{}: an order", G::ID);
            G::notate(&order);
            G::is_revisable(&order);
        }
        2 => {
            let Some(message) = draw::<G::EventMessage>(source) else { return };
            let Ok(event) = G::read_event(&message) else { return };
            let again = G::read_event(&G::write_event(&event));
            assert_eq!(again.as_ref(), Ok(&event), "{}: an event", G::ID);
            G::describe(&event, &|seat| seat.to_string());
        }
        3 => {
            let Some(message) = draw::<G::ViewMessage>(source) else { return };
            let Ok(view) = G::read_view(&message) else { return };
            let again = G::read_view(&G::write_view(&view));
            assert!(again.as_ref() == Ok(&view), "{}: a view reads back as another", G::ID);
            G::goals(&view);
            G::warnings(&view, None);
        }
        _ => {
            let Some(message) = draw::<G::PositionMessage>(source) else { return };
            let Ok(game) = G::read_position(&message) else { return };
            reads_back(&game);
        }
    }
}

/// A position that reads holds together, and is written and read back the same.
pub(crate) fn reads_back<G: Wire>(game: &G)
where
    G::PositionMessage: Known,
{
    assert_eq!(game.check(), Ok(()), "{}: a position that was read", G::ID);
    let written = game.write_position();
    let again = match G::read_position(&written) {
        Ok(again) => again,
        Err(fault) => panic!("{}: a position that was written does not read: {fault}", G::ID),
    };
    assert!(again.write_position() == written, "{}: a position reads back as another", G::ID);
}

/// Everybody who can look at a game.
pub(crate) fn viewers<G: Game>(game: &G) -> Vec<Viewer> {
    let Setup { options, players } = game.setup();
    let seats = G::cast(&options, players).roles.len();
    let seats = Seat::first(seats).map(Viewer::Seat);
    seats.chain([Viewer::Spectator, Viewer::GameMaster]).collect()
}

/// A position of a game, as it came or made of choices.
pub fn positions(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        if let Some(game) = read::<Own>(&mut source) {
            goes_on(game, data.len() as u64);
        }
    });
}

/// The position that bytes are, if it reads.
pub(crate) fn read<G: Enveloped>(source: &mut Source<'_>) -> Option<G>
where
    G::PositionMessage: Known,
{
    G::read_position(&draw::<G::PositionMessage>(source)?).ok()
}

/// A position can be looked at by all, judged, sampled, and played on for some phases.
fn goes_on<G: Enveloped>(mut game: G, seed: u64)
where
    G::PositionMessage: Known,
    G::ViewMessage: Known,
{
    reads_back(&game);
    let mut chance = Chance(seed);
    let mut dice = Dice::new([7; 32]);
    for _ in 0..3 {
        for viewer in viewers(&game) {
            let view = game.view(viewer);
            let written = G::write_view(&view);
            let again = G::read_view(&written);
            assert!(again.as_ref() == Ok(&view), "{} {viewer:?}: the view reads back", G::ID);
            if viewer != Viewer::GameMaster {
                let other = G::sample(&view, &mut || chance.draw());
                assert!(
                    other.view(viewer) == view,
                    "{} {viewer:?}: a sample looks different",
                    G::ID
                );
            }
            G::goals(&view);
            G::warnings(&view, None);
        }
        for decision in game.pending() {
            let offers = game.offers(decision.seat);
            if offers.list.is_empty() {
                continue;
            }
            let offer = &offers.list[chance.below(offers.list.len())];
            let chosen = offers.at_random(offer, &mut || chance.draw());
            let line = offers.fill(offer, &chosen).expect("a filling at random fits");
            let view = game.view(Viewer::Seat(decision.seat));
            for order in G::parse(&view, &line).expect("a filled offer is an order") {
                let by = Actor::Seat(decision.seat);
                assert_eq!(game.judge(by, &order), Ok(()), "{}: {line}", G::ID);
                game.submit(by, order, &mut dice).expect("what is judged to be legal is taken");
                if game.outcome().is_some() {
                    break;
                }
            }
            break;
        }
        if game.outcome().is_some() {
            game.reckon(&|seat| seat.to_string());
            game.reveal();
            break;
        }
        game.close(Why::Deadline, &mut dice);
        reads_back(&game);
    }
}
