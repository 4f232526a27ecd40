//! Star Empires over gRPC: a war, an empire that is abandoned in the middle of it, and its heir.

use std::time::Duration;

use heliopause_proto::star_empires::v1::{
    EmpireNames, EmpireView, Event as Happened, Galaxy, Options, Sector, event as happened, view,
};
use heliopause_proto::v1::*;
use heliopause_tests::{AiClient, Engine, Player, reason};

const KIND: &str = "star-empires";
/// The homeworlds of the two empires, in galactic coordinates and without frames.
const OPTIONS: [(&str, &str); 2] = [("ANTARES", "(0,4)"), ("BELLONA", "(0,-4)")];

fn small_galaxy() -> GameOptions {
    let named = |(empire, _): (&str, &str)| EmpireNames {
        empire: empire.to_owned(),
        ..EmpireNames::default()
    };
    let options = Options {
        radius: Some(4),
        local_frames: Some(false),
        portal_collapse_percent: Some(0),
        storm_percent: Some(0),
        nebula_percent: Some(0),
        empires: OPTIONS.map(named).to_vec(),
        ..Options::default()
    };
    GameOptions { game: Some(game_options::Game::StarEmpires(options)) }
}

/// A game of two, led by a third.
struct Session {
    master: Player,
    ann: Player,
    bob: Player,
    id: String,
}

impl Session {
    async fn new(engine: &Engine) -> Self {
        Self::of(engine, small_galaxy()).await
    }

    async fn of(engine: &Engine, options: GameOptions) -> Self {
        let (master, ann, bob) =
            (engine.player("Gina").await, engine.player("Ann").await, engine.player("Bob").await);
        let game = master.create_with(1, |request| {
            KIND.clone_into(&mut request.kind);
            request.options = Some(options);
            request.game_master = true;
        });
        let id = game.await.game_id;
        ann.join(&id).await;
        assert_eq!(bob.join(&id).await.status(), GameStatus::Running);
        Self { master, ann, bob, id }
    }

    async fn sheet(&self, player: &Player, text: &str) -> SubmitOrdersResponse {
        let view = player.view(&self.id).await;
        let request = SubmitOrdersRequest {
            game_id: self.id.clone(),
            phase: view.phase,
            revision: view.revision,
            request_id: format!("{:?}-{:?}", view.phase, view.revision),
            orders: Some(Orders { text: text.to_owned(), ..Orders::default() }),
            ready: true,
            ..SubmitOrdersRequest::default()
        };
        player
            .games()
            .submit_orders(request)
            .await
            .unwrap_or_else(|status| panic!("{text}: {status:?}"))
            .into_inner()
    }

    async fn command(&self, text: &str) {
        let request = SubmitMasterOrdersRequest {
            game_id: self.id.clone(),
            request_id: text.chars().take(60).collect(),
            text: text.to_owned(),
            ..SubmitMasterOrdersRequest::default()
        };
        self.master
            .master()
            .submit_master_orders(request)
            .await
            .unwrap_or_else(|status| panic!("{text}: {status:?}"));
    }

    /// What an empire knows, once this turn has begun.
    async fn empire(&self, player: &Player, turn: u32) -> EmpireView {
        loop {
            let view = player.view(&self.id).await.view.and_then(|view| view.game);
            let Some(game_view::Game::StarEmpires(view)) = view else {
                panic!("a view of this game")
            };
            let Some(view::Viewer::Empire(empire)) = view.viewer else { panic!("a seat's view") };
            if view.turn >= turn {
                return empire;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn dedication(&self, name: &str) -> i32 {
        let request = GetPlayerRequest { player: name.to_owned() };
        self.ann
            .players()
            .get_player(request)
            .await
            .unwrap()
            .into_inner()
            .player
            .unwrap()
            .dedication
    }
}

/// The names of an empire's ships of a class, in order.
fn ships<'a>(empire: &'a EmpireView, class: &str) -> Vec<&'a str> {
    let ships = empire.ships.iter().filter(|ship| ship.ship_class == class);
    let mut names: Vec<&str> = ships.map(|ship| ship.name.as_str()).collect();
    names.sort_unstable();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empire_is_abandoned_in_a_war_and_handed_to_a_new_player() {
    let engine = Engine::start();
    let session = Session::new(&engine).await;
    let [(_, home), _] = OPTIONS;

    // 6.1.3: three battleships of Bellona appear over the homeworld of Antares.
    session.command(&format!("ADDSHIP {home} BELLONA 3 battleship 40 PRIVATE raider*")).await;
    session.sheet(&session.ann, "# nothing yet").await;
    session.sheet(&session.bob, "# nothing yet").await;
    let bob = session.empire(&session.bob, 1).await;
    assert_eq!(ships(&bob, "battleship"), ["raider1", "raider2", "raider3"]);
    assert_eq!((session.dedication("Ann").await, session.dedication("Bob").await), (1, 1));

    // A turn of war: one of them is enough for a fresh fighter.
    let home_world = session.empire(&session.ann, 1).await.status.unwrap().homeworld;
    session.sheet(&session.ann, &format!("BUILD {home_world} 2 fighter wing*")).await;
    session.sheet(&session.bob, "FIRE raider1 AT ANTARES").await;
    session.empire(&session.ann, 2).await;

    // Bob is gone for good. Nobody plays that empire until there is an AI client.
    let replace = ReplacePlayerRequest {
        game_id: session.id.clone(),
        seat: 2,
        player: String::new(),
        ..ReplacePlayerRequest::default()
    };
    session.master.master().replace_player(replace).await.unwrap();
    let refused = session
        .bob
        .games()
        .get_offers(GetOffersRequest { game_id: session.id.clone(), seat: Some(2) })
        .await;
    assert!(["NOT_YOUR_SEAT", "SEES_TOO_MUCH"].contains(&reason(&refused.unwrap_err()).as_str()));
    session.sheet(&session.ann, "# let us see").await;
    let worker = AiClient::start(&engine);
    // Section 8: against a starbase's guns they cannot win, and three of them will not be shot:
    // they destroy themselves.
    session.empire(&session.ann, 3).await;
    drop(worker);

    let heir = engine.player("Cid").await;
    heir.join(&session.id).await;
    let inherited = session.empire(&heir, 3).await;
    assert!(ships(&inherited, "battleship").is_empty(), "{:?}", inherited.ships);
    assert_eq!(
        inherited.status.as_ref().unwrap().abandoned_turns,
        0,
        "the empire has a player again"
    );
    let given: Vec<OrdersAccepted> =
        heir.all_events(&session.id).await.into_iter().filter_map(accepted).collect();
    let automatic =
        given.iter().find(|orders| !orders.automation.is_empty()).expect("automation gave orders");
    assert!(automatic.automation.starts_with("abandoned"), "{automatic:?}");
    assert!(automatic.notation.iter().any(|sheet| sheet.contains("DESTRUCT")), "{automatic:?}");

    let build = format!("BUILD {} 1 probe scout1", inherited.status.unwrap().homeworld);
    session.sheet(&heir, &build).await;
    session.sheet(&session.ann, "#").await;
    let after = session.empire(&heir, 4).await;
    assert_eq!(ships(&after, "probe"), ["scout1"]);
    assert_eq!(session.dedication("Cid").await, 1);
    engine.admin().await.verified(&session.id).await;
}

fn accepted(event: Event) -> Option<OrdersAccepted> {
    match event.body {
        Some(event::Body::OrdersAccepted(accepted)) => Some(accepted),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_empire_does_not_know_is_in_no_message_to_it() {
    let engine = Engine::start();
    let session = Session::new(&engine).await;
    let secret = session.empire(&session.bob, 0).await.status.unwrap().homeworld;
    session.sheet(&session.bob, &format!("BUILD {secret} 1 probe SPYGLASS")).await;
    session.sheet(&session.ann, "#").await;
    session.empire(&session.bob, 1).await;
    let request = GetViewRequest { game_id: session.id.clone(), ..GetViewRequest::default() };
    let view = format!("{:?}", session.ann.games().get_view(request).await.unwrap().into_inner());
    let events = format!("{:?}", session.ann.all_events(&session.id).await);
    for told in [view, events] {
        assert!(!told.contains("SPYGLASS") && !told.contains(&secret), "{secret}");
    }
    // "Does not exist" and "exists, but you do not know it" are one answer.
    let judged = async |text: String| {
        let orders = Some(Orders { text, ..Orders::default() });
        let request = ValidateOrdersRequest { game_id: session.id.clone(), seat: Some(1), orders };
        session.ann.games().validate_orders(request).await.unwrap().into_inner()
    };
    let real = format!("{:?}", judged(format!("POOL {secret}")).await).replace(&secret, "NAME");
    let none = format!("{:?}", judged("POOL Nowhere".to_owned()).await).replace("Nowhere", "NAME");
    assert_eq!(real, none);
    // A message needs a contact, whoever it is for.
    let to = |seat| SendMessageRequest {
        game_id: session.id.clone(),
        to_seats: vec![seat],
        text: "hello".to_owned(),
        ..SendMessageRequest::default()
    };
    let refused = session.ann.games().send_message(to(2)).await.unwrap_err();
    assert!(!refused.message().contains("BELLONA"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_survives_the_death_of_the_engine() {
    let engine = Engine::start();
    let session = Session::new(&engine).await;
    let home = session.empire(&session.ann, 0).await.status.unwrap().homeworld;
    session.sheet(&session.ann, &format!("BUILD {home} 1 probe eye")).await;
    let engine = engine.kill_and_restart();
    let (ann, bob) =
        (session.ann.on(engine.channel().await), session.bob.on(engine.channel().await));
    let session = Session { ann, bob, ..session };
    session.sheet(&session.bob, "#").await;
    assert_eq!(ships(&session.empire(&session.ann, 1).await, "probe"), ["eye"]);
    let told = session.ann.all_events(&session.id).await;
    let reports =
        told.iter().filter(|event| matches!(happening(event), Some(happened::Kind::Reported(_))));
    assert_eq!(reports.count(), 1);
}

fn happening(event: &Event) -> Option<happened::Kind> {
    match event.body.clone()? {
        event::Body::Game(GameEvent {
            game: Some(game_event::Game::StarEmpires(Happened { kind })),
        }) => kind,
        _ => None,
    }
}

/// A galaxy in which each empire has coordinates of its own, for one turn.
fn framed_galaxy() -> GameOptions {
    let Some(game_options::Game::StarEmpires(options)) = small_galaxy().game else {
        panic!("options of this game")
    };
    let options = Options { local_frames: Some(true), last_turn: Some(1), ..options };
    GameOptions { game: Some(game_options::Game::StarEmpires(options)) }
}

/// The galaxy that a player is shown: the game master's, or what is revealed.
async fn galaxy(player: &Player, request: GetViewRequest) -> Galaxy {
    let view = player.games().get_view(request).await.unwrap().into_inner().view;
    let Some(game_view::Game::StarEmpires(view)) = view.and_then(|view| view.game) else {
        panic!("a view of this game")
    };
    let Some(view::Viewer::Master(all)) = view.viewer else { panic!("everything is shown") };
    all.galaxy.unwrap()
}

fn place(galaxy: &Galaxy, world: &str) -> String {
    let at = galaxy.worlds.iter().find(|one| one.name == world).unwrap().at.unwrap();
    format!("({},{})", at.oblique, at.y)
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_8_1_after_the_end_a_seat_keeps_its_own_coordinates() {
    let engine = Engine::start();
    // Another galaxy, if the home is where the game master's coordinates begin.
    let (session, home, free) = loop {
        let session = Session::of(&engine, framed_galaxy()).await;
        let home = session.empire(&session.ann, 0).await.status.unwrap().homeworld;
        let request = GetViewRequest { game_id: session.id.clone(), ..GetViewRequest::default() };
        let galaxy = galaxy(&session.master, request).await;
        let mut sectors = (-2..=2).flat_map(|oblique| (-2..=2).map(move |y| Sector { oblique, y }));
        let taken = |at: &Sector| galaxy.worlds.iter().any(|world| world.at.as_ref() == Some(at));
        let free = sectors.find(|at| !taken(at)).expect("a free sector");
        if place(&galaxy, &home) != "(0,0)" {
            break (session, home, format!("({},{})", free.oblique, free.y));
        }
    };
    let id = &session.id;
    session.command(&format!("ADDWORLD {free} Farland 5 0")).await;
    session.sheet(&session.ann, "#").await;
    session.sheet(&session.bob, "#").await;
    session.empire(&session.ann, 1).await;
    let mut farlands = Vec::new();
    for (player, at_home) in [(&session.ann, true), (&session.bob, false), (&session.master, false)]
    {
        let mut shown = Galaxy::default();
        for at_phase in [Some(1), None] {
            let (game_id, revealed) = (id.clone(), true);
            let request =
                GetViewRequest { game_id, at_phase, revealed, ..GetViewRequest::default() };
            shown = galaxy(player, request).await;
            let at = place(&shown, &home);
            assert_eq!(at == "(0,0)", at_home, "{at_phase:?}: {at}");
        }
        let at = place(&shown, "Farland");
        let list = DrawMapRequest {
            game_id: id.clone(),
            revealed: true,
            format: MapFormat::List.into(),
            ..DrawMapRequest::default()
        };
        let list = player.games().draw_map(list).await.unwrap().into_inner().map;
        let is_there = |line: &str| line.starts_with(&at) && line.contains("world Farland");
        assert!(list.lines().any(is_there), "{at}: {list}");
        let report = GetReportRequest {
            game_id: id.clone(),
            revealed: true,
            at_phase: Some(1),
            ..GetReportRequest::default()
        };
        let report = player.games().get_report(report).await.unwrap().into_inner().report;
        assert!(report.contains(&at), "{at}: {report}");
        let history = GetHistoryRequest {
            game_id: id.clone(),
            revealed: true,
            ..GetHistoryRequest::default()
        };
        let told = player.games().get_history(history).await.unwrap().into_inner().events;
        let words = format!("ADDWORLD {at} Farland");
        assert_eq!(told.iter().filter(|event| event.text.contains(&words)).count(), 2, "{words}");
        farlands.push(at);
    }
    assert_eq!(farlands[2], free, "the game master's are those of the galaxy");
}
