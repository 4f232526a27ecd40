//! Checks that valid messages of the games round-trip, and that valid positions can be continued.

use heliopause_games::Enveloped;
use heliopause_kernel::{Game, Seat, Setup, Viewer, Wire};
use heliopause_testing::{Rng, contract};
use prost::{Message, Name};

use crate::messages;
use crate::play::Offered;
use crate::source::Source;

pub(crate) trait Known: Message + Name + Default + PartialEq + Clone {}
impl<M: Message + Name + Default + PartialEq + Clone> Known for M {}

pub(crate) fn draw<M: Known>(source: &mut Source<'_>) -> Option<M> {
    if source.yes() { Some(messages::typed(source)) } else { M::decode(source.rest()).ok() }
}

/// Fuzzes messages. The first byte selects the game, the second the type of message.
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

pub(crate) fn viewers<G: Game>(game: &G) -> Vec<Viewer> {
    let Setup { options, players } = game.setup();
    let seats = G::cast(&options, players).roles.len();
    let seats = Seat::first(seats).map(Viewer::Seat);
    seats.chain([Viewer::Spectator, Viewer::GameMaster]).collect()
}

/// Fuzzes positions, decoded or built from choices.
pub fn positions(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        if let Some(game) = read::<Own>(&mut source) {
            contract::play_on::<Offered<Own>>(game, 3, &mut Rng::new(data.len() as u64));
        }
    });
}

pub(crate) fn read<G: Enveloped>(source: &mut Source<'_>) -> Option<G>
where
    G::PositionMessage: Known,
{
    G::read_position(&draw::<G::PositionMessage>(source)?).ok()
}
