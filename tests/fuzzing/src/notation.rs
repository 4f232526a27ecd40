//! Lines of orders as players type them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use heliopause_kernel::{Actor, Viewer};
use heliopause_testing::player::step;
use heliopause_testing::{Player, Rng, Tested, Watched};

use crate::play::Offered;
use crate::source::Source;

type AnyScene = Rc<dyn std::any::Any>;

thread_local! {
    /// Cached games, because reading a line is much faster than playing a game.
    static VIEWS: RefCell<HashMap<(&'static str, usize), AnyScene>> = RefCell::default();
}

fn scene<G: Tested>(which: usize) -> Rc<Watched<G>> {
    VIEWS.with_borrow_mut(|scenes| {
        let made = scenes.entry((G::ID, which)).or_insert_with(|| {
            let mut chance = Rng::new(which as u64);
            let mut watched = Offered::<G>::begin(&mut chance);
            for _ in 0..which {
                if watched.game.outcome().is_none() {
                    step::<Offered<G>>(&mut watched, &mut chance);
                }
            }
            Rc::new(watched)
        });
        made.clone().downcast().expect("the key names the game")
    })
}

/// Fuzzes the notation. The first three bytes select the game, the point in the game, and the seat.
pub fn notation(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        of_game::<Own>(&mut source);
    });
}

fn of_game<G: Tested>(source: &mut Source<'_>) {
    let scene = scene::<G>(usize::from(source.byte() % 6));
    let who = source.byte();
    let Ok(text) = std::str::from_utf8(source.rest()) else { return };
    let viewers = scene.seats() + 2;
    let (viewer, view) = scene.views().nth(usize::from(who) % viewers).expect("a viewer");
    let orders = match G::parse(view, text) {
        Ok(orders) => orders,
        Err(fault) => {
            assert!(!fault.to_string().is_empty(), "{}: a fault says why", G::ID);
            return;
        }
    };
    for order in &orders {
        let written = G::notate(order);
        let again = match G::parse(view, &written).as_deref() {
            Ok([again]) => again.clone(),
            other => panic!("{}: {text:?} is written {written:?}, which is {other:?}", G::ID),
        };
        assert_eq!(G::notate(&again), written, "{}: {text:?} is written otherwise", G::ID);
        let third = G::parse(view, &written);
        assert_eq!(third.as_deref().ok(), Some(std::slice::from_ref(&again)), "{}", G::ID);
        if orders.len() == 1 && text.trim() == written {
            assert_eq!(again, *order, "{}: {text:?} reads back as another order", G::ID);
        }
        let by = match viewer {
            Viewer::Seat(seat) => Actor::Seat(seat),
            Viewer::Spectator | Viewer::GameMaster => Actor::GameMaster,
        };
        if let Err(refusal) = scene.game.judge(by, order) {
            assert!(scene.has_rule(&refusal.rule), "{}: {refusal:?} for {written}", G::ID);
        } else {
            scene.game.preview(by, order);
            G::warnings(view, Some(order));
        }
    }
}
