//! Lines of orders, as players type them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use heliopause_kernel::{Actor, Game, Viewer};

use crate::play::{Start, has_rule, start};
use crate::source::Source;

/// A scene of some game.
type AnyScene = Rc<dyn std::any::Any>;

thread_local! {
    /// Games in which lines are read: made once, for a line is read in a moment.
    static VIEWS: RefCell<HashMap<(&'static str, usize), AnyScene>> = RefCell::default();
}

/// A game after some phases, and what everybody sees of it.
struct Scene<G: Game> {
    game: G,
    views: Vec<(Viewer, G::View)>,
}

fn scene<G: Game>(which: usize) -> Rc<Scene<G>> {
    VIEWS.with_borrow_mut(|scenes| {
        let made = scenes.entry((G::ID, which)).or_insert_with(|| {
            let Start { mut game, mut dice, .. } = start::<G>(which, 1 + which / 3);
            let mut chance = crate::source::Chance(which as u64);
            for _ in 0..which {
                crate::play::order_at_random(&mut game, &mut chance, &mut dice);
            }
            let viewers = crate::wire::viewers(&game).into_iter();
            let views = viewers.map(|viewer| (viewer, game.view(viewer))).collect();
            Rc::new(Scene { game, views })
        });
        made.clone().downcast().expect("the key names the game")
    })
}

/// The first byte names the game, the second the moment and the third who writes.
pub fn notation(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        of_game::<Own>(&mut source);
    });
}

fn of_game<G: Game>(source: &mut Source<'_>) {
    let scene = scene::<G>(usize::from(source.byte() % 6));
    let who = source.byte();
    let Ok(text) = std::str::from_utf8(source.rest()) else { return };
    let (viewer, view) = &scene.views[usize::from(who) % scene.views.len()];
    let orders = match G::parse(view, text) {
        Ok(orders) => orders,
        Err(fault) => {
            assert!(!fault.to_string().is_empty(), "{}: a fault says why", G::ID);
            return;
        }
    };
    for order in &orders {
        let written = G::notate(order);
        // A sheet also tells which lines could not be read; what is written has none of those.
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
            Viewer::Seat(seat) => Actor::Seat(*seat),
            Viewer::Spectator | Viewer::GameMaster => Actor::GameMaster,
        };
        if let Err(refusal) = scene.game.judge(by, order) {
            assert!(has_rule(&scene.game, &refusal.rule), "{}: {refusal:?} for {written}", G::ID);
        } else {
            scene.game.foretell(by, order);
            G::warnings(view, Some(order));
        }
    }
}
