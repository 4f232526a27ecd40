//! What must hold in every game: random legal play by one to six players with random options.

use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, Setup, Viewer, Why, Wire};
use heliopause_starships::{
    Agreement, BaseId, BaseNumber, Event, Means, Mix, Options, Order, Piece, Place, Promise,
    Serial, ShipId, Starships, Target, View, WordEvent,
};
use heliopause_testing::cases;
use proptest::prelude::*;

/// A small generator, so that play is decided by one seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

fn seed(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes
}

fn options(chance: &mut Chance) -> Options {
    let mixes = [
        Mix::FULL,
        Mix { friendly: 3, unfriendly: 20, dead: 2, asteroids: 2, empty: 8 },
        Mix { friendly: 20, unfriendly: 2, dead: 6, asteroids: 2, empty: 5 },
        Mix { friendly: 6, unfriendly: 2, dead: 2, asteroids: 25, empty: 0 },
    ];
    let rounds = chance.pick(&[3, 6, 12]);
    Options {
        mix: chance.pick(&mixes),
        rounds,
        live_planets_to_win: chance.pick(&[7, 4, 12, 37]),
        first_round_of_exile: chance.pick(&[5, 1, 2]),
        first_round_of_unprovoked_attacks: chance.pick(&[7, 1, 3]),
        last_round_with_death_star: rounds + chance.pick(&[0, 4, 12]),
        earth_can_be_destroyed: chance.below(2) == 0,
        edges_open: chance.below(2) == 0,
        bases_in_solitaire: 1 + chance.below(2) as u8,
    }
}

fn viewers(players: usize) -> Vec<Viewer> {
    let seats = Seat::first(players + 1).map(Viewer::Seat);
    seats.chain([Viewer::Spectator, Viewer::GameMaster]).collect()
}

/// A game and everybody's view of it, each kept up to date by its own events.
struct Watched {
    game: Starships,
    dice: Dice,
    views: Vec<(Viewer, View)>,
}

impl Watched {
    fn new(number: u64, players: usize, options: Options) -> Self {
        let mut dice = Dice::new(seed(number));
        let (game, _) = Starships::new(&Setup { options, players }, &mut dice).unwrap();
        let views =
            viewers(players).into_iter().map(|viewer| (viewer, game.view(viewer))).collect();
        Self { game, dice, views }
    }

    /// Folds what was told into the views, and compares them with the game's.
    fn follow(&mut self, told: &Emitted<Event>) {
        for (viewer, view) in &mut self.views {
            for event in told.to(*viewer) {
                Starships::update(view, event);
            }
            assert_eq!(
                *view,
                self.game.view(*viewer),
                "{viewer:?} was told {:?}",
                told.to(*viewer).collect::<Vec<_>>()
            );
        }
        assert_eq!(self.game.check(), Ok(()), "after {told:?}");
    }

    fn submit(&mut self, seat: Seat, order: Order) -> Emitted<Event> {
        assert_eq!(self.game.judge(Actor::Seat(seat), &order), Ok(()), "{seat}: {order}");
        let told = self.game.submit(Actor::Seat(seat), order, &mut self.dice).unwrap();
        self.follow(&told);
        told
    }

    fn close(&mut self) -> Emitted<Event> {
        let told = self.game.close(Why::Deadline, &mut self.dice);
        self.follow(&told);
        told
    }

    fn view(&self, viewer: Viewer) -> &View {
        self.views.iter().find(|(other, _)| *other == viewer).map(|(_, view)| view).unwrap()
    }

    /// One random step of whoever may do something: the seat that decides, or another one that
    /// negotiates.
    fn step(&mut self, chance: &mut Chance) -> Emitted<Event> {
        let seats = self.game.table().players() + 1;
        let decider = self.game.decider().unwrap();
        let seat = if chance.below(4) == 0 { Seat::at(chance.below(seats)) } else { decider };
        let mut orders = Vec::new();
        self.game.moves(seat, &mut orders);
        if let Some(pledges) = self.game.choices(seat).pledges.filter(|_| chance.below(4) == 0) {
            let until = pledges.first_round + chance.below(3) as u8;
            orders.extend(pledges.orders(until.min(pledges.last_round)).step_by(7));
        }
        if orders.is_empty() || chance.below(12) == 0 {
            return self.close();
        }
        self.submit(seat, chance.pick(&orders))
    }
}

fn play(number: u64, players: usize, mut each: impl FnMut(&mut Watched, &mut Chance)) {
    let mut chance = Chance(number);
    let options = options(&mut chance);
    let mut watched = Watched::new(number, players, options);
    for _ in 0..4_000 {
        if watched.game.outcome().is_some() {
            assert!(watched.game.pending().is_empty());
            let told = watched.game.reveal();
            return watched.follow(&told);
        }
        assert!(!watched.game.pending().is_empty());
        watched.step(&mut chance);
        each(&mut watched, &mut chance);
    }
    panic!("the game did not end: {}", watched.game.progress());
}

/// Any order at all, mostly illegal ones.
fn any_order(chance: &mut Chance) -> Order {
    let place = Place::all().nth(chance.below(37)).unwrap();
    let other = Place::all().nth(chance.below(37)).unwrap();
    let seat = Seat::at(chance.below(6));
    let ship =
        ShipId { owner: Seat::at(chance.below(6)), serial: Serial(1 + chance.below(4) as u16) };
    let base = chance.pick(&BaseNumber::ALL);
    let piece = match chance.below(3) {
        0 => Piece::Base(BaseId { owner: seat, number: base }),
        _ => Piece::Ship(ship),
    };
    let agreement = chance.pick(&[Agreement::Peace, Agreement::Partnership]);
    let means = chance.pick(&[Means::Diplomacy, Means::Force]);
    let target = chance.pick(&[Target::DeathStar, Target::Piece(piece)]);
    let promise = chance.pick(&[
        Promise::NoAttack,
        Promise::NoExileVote,
        Promise::GivePlanet(place),
        Promise::KeepOut(place),
    ]);
    let withdrawn = chance.below(2) == 0;
    let number = chance.below(256) as u8;
    chance.pick(&[
        Order::Build { count: number, base },
        Order::Move { ship, to: place },
        Order::Warp { ship, via: place, to: other },
        Order::MoveBase { base, via: Some(other), to: place },
        Order::MoveBase { base, via: None, to: place },
        Order::Settle { base },
        Order::Attempt { piece, means },
        Order::Attack { piece: Piece::Ship(ship), target },
        Order::Attack {
            piece,
            target: Target::Piece(Piece::Base(BaseId { owner: seat, number: base })),
        },
        Order::FightOn,
        Order::Withdraw,
        Order::Fire,
        Order::HoldFire,
        Order::FaceUp { at: place },
        Order::Mark { at: place },
        Order::Unmark { at: place },
        Order::Give { at: place, to: seat },
        Order::End,
        Order::Vote { against: seat, withdrawn },
        Order::Offer { to: seat, agreement },
        Order::Accept { from: seat, agreement },
        Order::Retract { to: seat, agreement },
        Order::EndPartnership,
        Order::Pledge { to: seat, promise, until: number },
        Order::Sacrifice { ship },
        Order::ChooseShip { ship },
        Order::ChoosePlanet { at: place },
        Order::Zone { at: place },
        Order::Grow { from: place, to: other },
        Order::Stop,
    ])
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn random_play_ends_and_every_view_follows_its_own_events(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |_, _| {});
    }

    #[test]
    fn the_same_seed_and_orders_give_the_same_game(number in any::<u64>(), players in 1_usize..=6) {
        let mut first = Vec::new();
        play(number, players, |watched, _| first.push(watched.game.write_position()));
        let mut second = first.into_iter();
        play(number, players, |watched, _| assert_eq!(second.next(), Some(watched.game.write_position())));
        assert!(second.next().is_none());
    }

    #[test]
    fn closing_again_and_again_ends_every_game(number in any::<u64>(), players in 1_usize..=6) {
        let mut chance = Chance(number);
        let options = options(&mut chance);
        let mut watched = Watched::new(number, players, options);
        for _ in 0..chance.below(150) {
            if watched.game.outcome().is_none() {
                watched.step(&mut chance);
            }
        }
        for _ in 0..1_000 {
            if watched.game.outcome().is_none() {
                assert!(!watched.close().is_empty());
            }
        }
        assert!(watched.game.outcome().is_some());
        assert!(watched.close().is_empty());
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn every_choice_is_judged_legal_and_labelled(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |watched, chance| {
            let seat = Seat::at(chance.below(players + 1));
            let view = watched.view(Viewer::Seat(seat)).clone();
            let choices = Starships::choices_of(&view);
            assert_eq!(choices, watched.game.choices(seat));
            for choice in &choices.list {
                assert_eq!(Starships::judge_view(&view, &choice.order), Ok(()), "{}", choice.order);
                assert!(!choice.label.is_empty() && Starships::rule(choice.rule).is_some(), "{choice:?}");
            }
            if let Some(pledges) = &choices.pledges {
                for order in pledges.orders(pledges.last_round) {
                    assert_eq!(Starships::judge_view(&view, &order), Ok(()), "{order}");
                }
            }
        });
    }

    /// The list is complete: an order that is judged legal is on it.
    #[test]
    fn every_legal_order_is_a_choice_and_a_refused_one_changes_nothing(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |watched, chance| {
            for _ in 0..20 {
                let (seat, order) = (Seat::at(chance.below(players + 1)), any_order(chance));
                let verdict = watched.game.judge(Actor::Seat(seat), &order);
                assert_eq!(verdict, Starships::judge_view(watched.view(Viewer::Seat(seat)), &order));
                let mut moves = Vec::new();
                watched.game.moves(seat, &mut moves);
                let listed = moves.contains(&order) || matches!(order, Order::Pledge { .. });
                assert!(verdict.is_err() || listed, "{seat}: {order} is legal and not listed");
                let is_offered = || watched.game.offers(seat).that_makes(&order.to_string()).is_some();
                assert!(verdict.is_err() || is_offered(), "{seat}: {order} is legal and not \
                    offered");
                if verdict.is_err() {
                    let before = watched.game.clone();
                    let refusal = watched.game.submit(Actor::Seat(seat), order, &mut watched.dice);
                    assert_eq!(refusal, verdict.map(|()| Emitted::new()));
                    assert_eq!(before, watched.game);
                }
            }
        });
    }

    /// Offers are the same orders as sentences: each filling is read as an order that is accepted,
    /// each order that is accepted is a filling, and filling at random leads to nothing else.
    #[test]
    fn offers_make_exactly_the_legal_orders(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |watched, chance| {
            let seat = Seat::at(chance.below(players + 1));
            let view = watched.view(Viewer::Seat(seat)).clone();
            let offers = watched.game.offers(seat);
            assert_eq!(offers.check(), Ok(()));
            assert!(offers.complete && !offers.sheet);
            let read = |line: &str| Starships::parse(&view, line).expect("notation").remove(0);
            let choices = watched.game.choices(seat);
            let mut wanted: Vec<Order> = choices.list.iter().map(|choice| choice.order).collect();
            wanted.extend(choices.pledges.iter().flat_map(|pledges| pledges.orders(pledges.last_round)));
            for order in &wanted {
                assert!(offers.that_makes(&order.to_string()).is_some(), "{order} is not offered");
            }
            for offer in &offers.list {
                let mut next = || chance.next();
                let fillings = [offers.at_random(offer, &mut next), offers.fullest(offer, &mut next)];
                for chosen in fillings {
                    let line = offers.fill(offer, &chosen).expect("a filling at random fits");
                    assert!(offers.makes(offer, &line), "{line}");
                    let order = read(&line);
                    assert_eq!(watched.game.judge(Actor::Seat(seat), &order), Ok(()), "{line}");
                    assert_eq!(offer.order.unwrap_or(order), order);
                    assert!(Starships::rule(&offer.rule).is_some(), "{}", offer.rule);
                    let said = offers.say(offer, &chosen).expect("it fits");
                    assert!(!said.is_empty() && !said.contains(['{', '}']), "{said}");
                }
            }
            let mut legal: Vec<String> = offers.lines(u64::MAX).filter(|line| !line.starts_with("pledge")).collect();
            let mut listed: Vec<String> = choices.list.iter().map(|choice| choice.order.to_string()).collect();
            legal.sort();
            listed.sort();
            assert_eq!(legal, listed);
        });
    }

    #[test]
    fn a_sample_shows_the_same_view(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |watched, chance| {
            let viewer = chance.pick(&viewers(players));
            let view = watched.view(viewer).clone();
            let sample = Starships::sample(&view, &mut || chance.next());
            assert_eq!(sample.check(), Ok(()), "sampled for {viewer:?} from {view:?}");
            assert_eq!(sample.view(viewer), view);
        });
    }

    /// Two states that a seat cannot tell apart answer it alike, and stay alike while others
    /// negotiate or move where nothing hidden matters to it.
    #[test]
    fn equal_knowledge_gives_equal_answers(number in any::<u64>(), players in 2_usize..=6) {
        play(number, players, |watched, chance| {
            let seat = Seat::at(chance.below(players + 1));
            let view = watched.view(Viewer::Seat(seat)).clone();
            let mut other = Starships::sample(&view, &mut || chance.next());
            assert_eq!(other.choices(seat), watched.game.choices(seat));
            assert_eq!(other.offers(seat), watched.game.offers(seat));
            for _ in 0..5 {
                let order = any_order(chance);
                let actor = Actor::Seat(seat);
                assert_eq!(other.judge(actor, &order), watched.game.judge(actor, &order));
            }
            same_events_for(seat, watched, &mut other, chance);
        });
    }

    /// Rules 27: of a list, what is refused follows from what the seat knows, what it was told of
    /// the orders before included.
    #[test]
    fn rules_27_lists_are_judged_by_knowledge(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |watched, chance| {
            let Some(seat) = watched.game.decider() else { return };
            let (actor, viewer) = (Actor::Seat(seat), Viewer::Seat(seat));
            let mut one = watched.game.clone();
            let mut other = Starships::sample(watched.view(viewer), &mut || chance.next());
            let (mut dice, mut same_dice) = (watched.dice.clone(), watched.dice.clone());
            // How much a seat has answered before is its own knowledge and no part of a sample.
            let asked = |game: &Starships| {
                let own = game.pending().into_iter().filter(|decision| decision.seat == seat);
                own.map(|decision| (decision.kind, decision.prompt)).collect::<Vec<_>>()
            };
            for _ in 0..5 {
                let mut orders = Vec::new();
                one.moves(seat, &mut orders);
                let is_any = orders.is_empty() || chance.below(4) == 0;
                let order = if is_any { any_order(chance) } else { chance.pick(&orders) };
                assert_eq!(other.judge(actor, &order), one.judge(actor, &order), "{order}");
                assert_eq!(asked(&other), asked(&one), "before {order}");
                let told = one.submit(actor, order, &mut dice);
                let other_told = other.submit(actor, order, &mut same_dice);
                let (Ok(told), Ok(other_told)) = (told, other_told) else { continue };
                let told: Vec<&Event> = told.to(viewer).collect();
                if told != other_told.to(viewer).collect::<Vec<_>>() {
                    break;
                }
            }
        });
    }

    #[test]
    fn positions_and_views_survive_the_wire(number in any::<u64>(), players in 1_usize..=6) {
        play(number, players, |watched, chance| {
            let message = watched.game.write_position();
            let read = Starships::read_position(&message);
            assert_eq!(read.as_ref(), Ok(&watched.game));
            let viewer = chance.pick(&viewers(players));
            let view = watched.view(viewer);
            assert_eq!(Starships::read_view(&Starships::write_view(view)).as_ref(), Ok(view));
        });
    }

    #[test]
    fn events_survive_the_wire_and_have_sentences(number in any::<u64>(), players in 1_usize..=6) {
        let mut chance = Chance(number);
        let options = options(&mut chance);
        let mut watched = Watched::new(number, players, options);
        while watched.game.outcome().is_none() {
            for told in &watched.step(&mut chance) {
                let message = Starships::write_event(&told.event);
                assert_eq!(Starships::read_event(&message).as_ref(), Ok(&told.event));
                let (sentence, rule) = Starships::describe(&told.event, &|seat| format!("player {}", seat.number()));
                assert!(sentence.len() > 8 && sentence.ends_with('.'), "{sentence}");
                assert!(Starships::rule(rule).is_some(), "{sentence} has rule {rule}");
            }
        }
    }

    #[test]
    fn orders_survive_notation_and_wire(number in any::<u64>()) {
        let mut chance = Chance(number);
        let watched = Watched::new(number, 3, Options::default());
        for _ in 0..100 {
            let order = any_order(&mut chance);
            let text = Starships::notate(&order);
            let view = watched.view(Viewer::Seat(Seat::at(chance.below(3))));
            assert_eq!(Starships::parse(view, &text), Ok(vec![order]), "{text}");
            assert_eq!(Starships::parse(view, &format!("  {}  # why", text.to_uppercase())), Ok(vec![order]));
            assert_eq!(Starships::read_order(&Starships::write_order(&order)), Ok(order));
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[ A-Fa-f0-9(),#a-z\n-]{0,60}") {
        let watched = Watched::new(1, 2, Options::default());
        if let Err(malformed) = Starships::parse(watched.view(Viewer::Spectator), &text) {
            assert!(malformed.line >= 1 && malformed.column >= 1);
        }
    }
}

/// Submits the same step of another seat to two states that this seat cannot tell apart, with the
/// same dice, where the step touches nothing hidden: negotiations, and turning nothing up. What the
/// seat is told must be the same.
fn same_events_for(seat: Seat, watched: &Watched, other: &mut Starships, chance: &mut Chance) {
    let mut game = watched.game.clone();
    let mover = Seat::at(chance.below(game.table().players()));
    let mut orders = Vec::new();
    game.moves(mover, &mut orders);
    let unnoticed = |order: &Order| {
        matches!(
            order,
            Order::Vote { .. } | Order::Offer { .. } | Order::Retract { .. } | Order::Unmark { .. }
        ) || matches!(order, Order::Mark { at } if !game.table().is_present(seat, *at))
    };
    orders.retain(|order| mover != seat && unnoticed(order));
    if orders.is_empty() {
        return;
    }
    let order = chance.pick(&orders);
    let actor = Actor::Seat(mover);
    if other.judge(actor, &order).is_err() {
        return;
    }
    let dice = Dice::new(seed(chance.next()));
    let told = game.submit(actor, order, &mut dice.clone()).unwrap();
    let told_other = other.submit(actor, order, &mut dice.clone()).unwrap();
    let over = game.outcome().is_some() || other.outcome().is_some();
    let told: Vec<Event> = told.to(Viewer::Seat(seat)).copied().collect();
    let told_other: Vec<Event> = told_other.to(Viewer::Seat(seat)).copied().collect();
    let broke_word = |told: &[Event]| {
        told.iter().any(|event| matches!(event, Event::Word(WordEvent::PledgeBroken { .. })))
    };
    if !over && !broke_word(&told) && !broke_word(&told_other) {
        assert_eq!(told, told_other, "{seat} is told apart what {mover} did by {order}");
    }
}

/// A position with one number, flag or list in it changed at random.
fn mutate(game: &Starships, chance: &mut Chance) -> <Starships as Wire>::PositionMessage {
    let mut position = game.write_position();
    for _ in 0..=chance.below(3) {
        mutate_once(&mut position, chance);
    }
    position
}

fn mutate_once(position: &mut <Starships as Wire>::PositionMessage, chance: &mut Chance) {
    let wild = [0, 1, 2, 3, 5, 7, 9, 60, 255, 256, 65_535, u32::MAX];
    let number = chance.pick(&wild);
    let hex = chance.below(position.hexes.len().max(1));
    let player = chance.below(position.players.len().max(1));
    match chance.below(20) {
        0 => position.round = number,
        1 => position.on_turn = number,
        2 => position.turn_order = vec![number, 1],
        3 => position.players.truncate(player),
        4 => position.players.push(position.players.first().cloned().unwrap_or_default()),
        5 => position.wars.push(pair(number, chance)),
        6 => position.exile_votes.push(pair(number, chance)),
        7 => position.partnerships.push(pair(number, chance)),
        8 => position.provocations.push(pair(number, chance)),
        9 => position.battle_rounds = number,
        10 => position.stage = None,
        11 => position.death_star.iter_mut().for_each(|star| star.state = number.cast_signed()),
        12 => position.options.iter_mut().for_each(|options| options.rounds = Some(number)),
        13 => position.hexes.truncate(hex),
        14 => position.broken_words.clear(),
        15 => position.decided = vec![number; 9],
        16 | 17 => mutate_hex(position.hexes.get_mut(hex), number, chance),
        _ => mutate_player(position.players.get_mut(player), number, chance),
    }
}

fn pair(number: u32, chance: &mut Chance) -> heliopause_proto::starships_at_large::v1::Pair {
    heliopause_proto::starships_at_large::v1::Pair { first: number, second: chance.below(8) as u32 }
}

fn mutate_hex(
    hexagon: Option<&mut heliopause_proto::starships_at_large::v1::Hexagon>,
    number: u32,
    chance: &mut Chance,
) {
    let Some(hexagon) = hexagon else { return };
    match chance.below(7) {
        0 => hexagon.hex.iter_mut().for_each(|hex| hex.q = number.cast_signed()),
        1 => hexagon.marker = (number % 11).cast_signed(),
        2 => hexagon.face_up = !hexagon.face_up,
        3 => hexagon.death_zone = !hexagon.death_zone,
        4 => hexagon.owner = number,
        5 => hexagon.ownership_markers.push(number),
        _ => hexagon.seen_by.push(number),
    }
}

fn mutate_player(
    player: Option<&mut heliopause_proto::starships_at_large::v1::Player>,
    number: u32,
    chance: &mut Chance,
) {
    let Some(player) = player else { return };
    match chance.below(8) {
        0 => player.status = (number % 6).cast_signed(),
        1 => player.bases.clear(),
        2 => player.starships.clear(),
        3 => player.next_serial = number,
        4 => player.starships.iter_mut().for_each(|ship| ship.serial = number),
        5 => player.starships.iter_mut().for_each(|ship| ship.at = None),
        6 => player.bases.iter_mut().for_each(|base| base.out = !base.out),
        _ => player.secrets.iter_mut().for_each(|private| private.arrivals = Some(number)),
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Whatever position comes from outside: it is refused with its field, or it can be played to
    /// the end.
    #[test]
    fn a_mutated_position_is_refused_or_playable(number in any::<u64>(), players in 1_usize..=6) {
        let mut chance = Chance(number);
        let options = options(&mut chance);
        let mut watched = Watched::new(number, players, options);
        for _ in 0..chance.below(200) {
            if watched.game.outcome().is_none() {
                watched.step(&mut chance);
            }
        }
        let position = mutate(&watched.game, &mut chance);
        match Starships::read_position(&position) {
            Err(malformed) => assert!(!malformed.field.is_empty(), "{malformed}"),
            Ok(game) => {
                let views = viewers(game.table().players());
                let views = views.into_iter().map(|viewer| (viewer, game.view(viewer))).collect();
                let mut watched = Watched { game, dice: Dice::new(seed(number)), views };
                for _ in 0..300 {
                    if watched.game.outcome().is_none() {
                        watched.step(&mut chance);
                    }
                }
            }
        }
    }
}
