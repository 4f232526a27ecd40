//! Star Empires over gRPC: a war, an empire that is abandoned during the war, and its new player.

use std::time::Duration;

use heliopause_proto::star_empires::v1::{EmpireNames, EmpireView, Galaxy, Options, Sector, view};
use heliopause_proto::v1::*;
use heliopause_tests::{AiClient, Engine, OfGame as _, Player, reason};

const KIND: &str = "star-empires";
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
        let [master, ann, bob] = engine.players(["Gina", "Ann", "Bob"]).await;
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

    async fn sheet(&self, player: &Player, text: &str) {
        player.submit(&self.id, text, true).await;
    }

    async fn command(&self, text: &str) {
        let request = SubmitMasterOrdersRequest {
            request_id: text.chars().take(60).collect(),
            text: text.to_owned(),
            ..SubmitMasterOrdersRequest::of(&self.id)
        };
        self.master.does(request).await;
    }

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
        self.ann.does(GetPlayerRequest { player: name.to_owned() }).await.player.unwrap().dedication
    }
}

fn ships<'a>(empire: &'a EmpireView, class: &str) -> Vec<&'a str> {
    let ships = empire.ships.iter().filter(|ship| ship.ship_class == class);
    let mut names: Vec<&str> = ships.map(|ship| ship.name.as_str()).collect();
    names.sort_unstable();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_empire_is_given_to_a_new_player_during_a_war() {
    let engine = Engine::start();
    let session = Session::new(&engine).await;
    let [(_, home), _] = OPTIONS;

    // 6.1.3: three battleships of Bellona appear at the homeworld of Antares.
    session.command(&format!("ADDSHIP {home} BELLONA 3 battleship 40 PRIVATE raider*")).await;
    session.sheet(&session.ann, "# nothing yet").await;
    session.sheet(&session.bob, "# nothing yet").await;
    let bob = session.empire(&session.bob, 1).await;
    assert_eq!(ships(&bob, "battleship"), ["raider1", "raider2", "raider3"]);
    assert_eq!((session.dedication("Ann").await, session.dedication("Bob").await), (1, 1));

    let home_world = session.empire(&session.ann, 1).await.status.unwrap().homeworld;
    session.sheet(&session.ann, &format!("BUILD {home_world} 2 fighter wing*")).await;
    session.sheet(&session.bob, "FIRE raider1 AT ANTARES").await;
    session.empire(&session.ann, 2).await;

    let replace = ReplacePlayerRequest { seat: 2, ..ReplacePlayerRequest::of(&session.id) };
    session.master.does(replace).await;
    let refused = session
        .bob
        .games()
        .get_offers(GetOffersRequest { game_id: session.id.clone(), seat: Some(2) })
        .await;
    assert!(["NOT_YOUR_SEAT", "ROLE_CONFLICT"].contains(&reason(&refused.unwrap_err()).as_str()));
    session.sheet(&session.ann, "# let us see").await;
    let worker = AiClient::start(&engine);
    // Section 8: the raiders cannot beat a starbase's guns, so they self-destruct.
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

fn framed_galaxy() -> GameOptions {
    let Some(game_options::Game::StarEmpires(options)) = small_galaxy().game else {
        panic!("options of this game")
    };
    let options = Options { local_frames: Some(true), last_turn: Some(1), ..options };
    GameOptions { game: Some(game_options::Game::StarEmpires(options)) }
}

async fn galaxy(player: &Player, request: GetViewRequest) -> Galaxy {
    let view = player.does(request).await.view;
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
    // Try another galaxy if the home is at the origin of the game master's coordinates.
    let (session, home, free) = loop {
        let session = Session::of(&engine, framed_galaxy()).await;
        let home = session.empire(&session.ann, 0).await.status.unwrap().homeworld;
        let request = GetViewRequest::of(&session.id);
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
            let request = GetViewRequest { at_phase, revealed, ..GetViewRequest::of(&game_id) };
            shown = galaxy(player, request).await;
            let at = place(&shown, &home);
            assert_eq!(at == "(0,0)", at_home, "{at_phase:?}: {at}");
        }
        let at = place(&shown, "Farland");
        let list = DrawMapRequest {
            revealed: true,
            format: MapFormat::List.into(),
            ..DrawMapRequest::of(id)
        };
        let list = player.does(list).await.map;
        let is_there =
            |line: &str| line.starts_with(&at) && line.contains("Farland, unowned world");
        assert!(list.lines().any(is_there), "{at}: {list}");
        let report =
            GetReportRequest { revealed: true, at_phase: Some(1), ..GetReportRequest::of(id) };
        let report = player.does(report).await.report;
        assert!(report.contains(&at), "{at}: {report}");
        let history = GetHistoryRequest { revealed: true, ..GetHistoryRequest::of(id) };
        let told = player.does(history).await.events;
        let words = format!("ADDWORLD {at} Farland");
        assert_eq!(told.iter().filter(|event| event.text.contains(&words)).count(), 2, "{words}");
        farlands.push(at);
    }
    assert_eq!(farlands[2], free, "the game master's are those of the galaxy");
}
