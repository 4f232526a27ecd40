//! Stellar Conquest over gRPC: battles, secret production, and pirates without automation.

use std::sync::atomic::{AtomicU64, Ordering};

use heliopause_proto::json;
use heliopause_proto::stellar_conquest::v1::{
    Battle, Event as Happened, Power, ShipKind, Table, event as happened, stage,
};
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, OfGame as _, Player, Sandbox, order_text, reason, word};

/// The destination of all scouts, far from all corners.
const MIDDLE: &str = "Draconis";
const MIDDLE_HEX: &str = "Q11";
const ELSEWHERE: &str = "Lupi";
/// Dice destroy some scouts, so each power builds as many as its industry points allow.
const SETUP: &str = "setup 10 scouts";

struct Session {
    players: [Player; 2],
    id: String,
    requests: AtomicU64,
}

struct SeatView {
    table: Table,
    power: Power,
    decision: Option<String>,
    phase: u64,
    revision: u64,
}

impl Session {
    async fn new(engine: &Engine) -> Self {
        let [ann, bob] = engine.players(["Ann", "Bob"]).await;
        let game = ann.create_with(1, |request| "stellar-conquest".clone_into(&mut request.kind));
        let id = game.await.game_id;
        assert_eq!(bob.join(&id).await.status(), GameStatus::Running);
        Self { players: [ann, bob], id, requests: AtomicU64::new(0) }
    }

    async fn seat_view(&self, seat: usize) -> SeatView {
        let answer = self.players[seat].view(&self.id).await;
        let Some(game_view::Game::StellarConquest(view)) = answer.view.and_then(|view| view.game)
        else {
            panic!("a view of this game")
        };
        SeatView {
            table: view.table.expect("everybody sees the table"),
            power: view.power.expect("a seat's view"),
            decision: answer.decision.map(|decision| decision.kind),
            phase: answer.phase.expect("a seat's phase"),
            revision: answer.revision.expect("a seat's revision"),
        }
    }

    async fn order(&self, seat: usize, text: &str) {
        let SeatView { phase, revision, decision, .. } = self.seat_view(seat).await;
        let request = SubmitOrdersRequest {
            phase: Some(phase),
            revision: Some(revision),
            request_id: format!("order {}", self.requests.fetch_add(1, Ordering::Relaxed)),
            orders: order_text(text),
            ready: decision.is_some_and(|kind| kind == "setup" || kind == "production"),
            ..SubmitOrdersRequest::of(&self.id)
        };
        let answer = self.players[seat].games().submit_orders(request).await;
        answer.unwrap_or_else(|status| panic!("seat {}, {text}: {status:?}", seat + 1));
    }

    async fn asked(&self) -> (usize, String) {
        for seat in 0..2 {
            if let Some(kind) = self.seat_view(seat).await.decision {
                return (seat, kind);
            }
        }
        panic!("nobody is asked")
    }

    /// Moves all scouts to one star until a battle starts. The other ships stay in the corners.
    async fn until_battle(&self) -> Battle {
        loop {
            let (seat, kind) = self.asked().await;
            let seat_view = self.seat_view(seat).await;
            match (
                kind.as_str(),
                seat_view.table.stage.as_ref().and_then(|stage| stage.kind.as_ref()),
            ) {
                ("setup", _) => self.hand_in(SETUP).await,
                ("production", _) => self.hand_in("produce").await,
                ("battle", _) => return seat_view.table.battle.expect("who fights sees it"),
                (_, Some(stage::Kind::Movement(_))) => self.movement(seat, &seat_view).await,
                _ => self.order(seat, "end turn").await,
            }
        }
    }

    /// Submits a sheet for all seats. Each seat stays pending until all sheets are in.
    async fn hand_in(&self, sheet: &str) {
        for seat in 0..2 {
            self.order(seat, sheet).await;
        }
    }

    async fn movement(&self, seat: usize, seat_view: &SeatView) {
        let entry = &seat_view.table.entries[seat];
        let numbers = |which: &dyn Fn(&heliopause_proto::stellar_conquest::v1::Ship) -> bool| {
            let ships = seat_view.power.ships.iter().filter(|ship| which(ship));
            ships.map(|ship| ship.number.to_string()).collect::<Vec<String>>().join(",")
        };
        let waiting = numbers(&|ship| ship.at.is_empty() && ship.kind() != ShipKind::Scout);
        if !waiting.is_empty() {
            self.order(seat, &format!("move #{waiting} via {entry} to {MIDDLE}")).await;
        }
        let scouts = numbers(&|ship| ship.kind() == ShipKind::Scout && ship.at != MIDDLE_HEX);
        if !scouts.is_empty() {
            self.order(seat, &format!("move #{scouts} to {MIDDLE}")).await;
        }
        self.order(seat, "end movement").await;
    }

    /// Withdraws the attacker's ships. Returns the indexes of the attacker and of the other player.
    async fn withdraw(&self, battle: &Battle) -> (usize, usize) {
        let attacker = battle.attacker as usize - 1;
        let units =
            battle.units.iter().enumerate().filter(|(_, unit)| unit.owner == battle.attacker);
        let units: Vec<String> = units.map(|(place, _)| place.to_string()).collect();
        self.order(attacker, &format!("withdraw {} to {ELSEWHERE}", units.join(" "))).await;
        (attacker, 1 - attacker)
    }

    async fn check_secrets(&self) {
        for seat in 0..2_u32 {
            let told = self.players[seat as usize].all_events(&self.id).await;
            for kind in told.iter().filter_map(happening) {
                let about = match kind {
                    happened::Kind::ShipsMoved(event) => event.seat,
                    happened::Kind::ShipsCame(event) => event.seat,
                    happened::Kind::SheetStored(event) => event.seat,
                    happened::Kind::Explored(event) => event.seat,
                    happened::Kind::RiskRolled(event) => event.seat,
                    happened::Kind::Researched(event) => event.seat,
                    _ => continue,
                };
                assert_eq!(about, seat + 1, "another seat's secret");
            }
            let answer = self.players[seat as usize].view(&self.id).await;
            assert!(!format!("{answer:?}").contains("SheetStored"));
        }
    }

    async fn verify(&self, engine: &Engine) {
        engine.admin().await.verified(&self.id).await;
    }
}

fn happening(event: &Event) -> Option<happened::Kind> {
    match event.body.clone()? {
        event::Body::Game(GameEvent {
            game: Some(game_event::Game::StellarConquest(Happened { kind })),
        }) => kind,
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battle_survives_a_kill_of_the_engine_and_reveals_nothing_else() {
    let engine = Engine::start();
    let session = Session::new(&engine).await;
    let battle = session.until_battle().await;
    let (attacker, other) = session.withdraw(&battle).await;
    // 12.8: the other side chooses the destination. The engine is killed during this decision.
    assert_eq!(session.asked().await, (other, "battle".to_owned()));
    let engine = engine.kill_and_restart();
    let players = [
        session.players[0].on(engine.channel().await),
        session.players[1].on(engine.channel().await),
    ];
    let session = Session { players, ..session };
    assert_eq!(session.asked().await, (other, "battle".to_owned()));
    assert_eq!(
        session.seat_view(other).await.table.battle.expect("it goes on").leaving.len(),
        battle_ships(&battle)
    );
    let lines = session.players[other].lines(&session.id).await;
    let send = lines.iter().find(|line| line.starts_with("send ")).expect("a hex is offered");
    session.order(other, send).await;
    let withdrawn = session.seat_view(attacker).await;
    let refuge = send.trim_start_matches("send ");
    let there = withdrawn
        .power
        .ships
        .iter()
        .filter(|ship| ship.at == refuge && ship.destination == ELSEWHERE);
    assert_eq!(there.count(), battle_ships(&battle));
    assert_eq!(session.asked().await, (attacker, "turn".to_owned()));
    session.check_secrets().await;
    session.verify(&engine).await;
}

fn battle_ships(battle: &Battle) -> usize {
    battle.units.iter().filter(|unit| unit.owner == battle.attacker).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn standing_orders_answer_for_absent_players() {
    let engine = Engine::start();
    let session = Session::new(&engine).await;
    session.hand_in(SETUP).await;
    for seat in 0..2 {
        let text = "standing fire spread stay always scouts stay transports stay refuge away \
            scuttle never";
        session.players[seat].order(&session.id, text, "standing").await.expect("at any time");
    }
    let battle = session.until_battle().await;
    let (attacker, _) = session.withdraw(&battle).await;
    assert_eq!(session.asked().await, (attacker, "turn".to_owned()));
    session.check_secrets().await;
    session.verify(&engine).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_ai_client_the_game_waits_for_the_pirates() {
    let engine = Engine::with(&["--sandbox"]);
    let ann = engine.player("Ann").await;
    let text = include_str!("../../examples/scenarios/fate-of-empire/ft-20-disengagement.json");
    let mut scenario: serde_json::Value = serde_json::from_str(text).expect("a scenario");
    let position = serde_json::json!({ "stellarConquest": scenario["position"].take() });
    let request = CreateSandboxGameRequest {
        kind: "fate-of-empire".to_owned(),
        position: Some(json::from_value(&position).expect("a position")),
        automated: vec![SandboxAutomation {
            seat: 2,
            automation: Some(AutomatedSeat {
                profile: "pirates".to_owned(),
                ..AutomatedSeat::default()
            }),
        }],
        ..CreateSandboxGameRequest::default()
    };
    let sandbox = Sandbox::create(&ann, request).await.expect("a sandbox");
    sandbox.order(1, "end movement").await.expect("the pirates are attacked");
    assert!(!ann.game(&sandbox.game_id).await.waits_for_automation);
    sandbox.order(1, "hold").await.expect("nobody fires");
    // The pirates choose among identical ships of the Captain-General, and no worker plays them.
    let game = ann.game(&sandbox.game_id).await;
    assert!(game.waits_for_automation, "{game:?}");
    assert_eq!(game.status(), GameStatus::Running);
}

async fn told(sandbox: &Sandbox, seat: u32) -> Vec<Event> {
    let audience = audience::Kind::Seat(seat);
    let audience =
        if seat == 0 { audience::Kind::Spectators(SpectatorAudience {}) } else { audience };
    let request = StreamEventsRequest {
        game_id: sandbox.game_id.clone(),
        seat: Some(seat),
        as_spectator: seat == 0,
        after: Some(Cursor {
            audience: Some(Audience { kind: Some(audience) }),
            number: 0,
            ..Cursor::default()
        }),
    };
    let mut stream = sandbox.owner.does(request).await;
    let mut events = Vec::new();
    while let Some(part) = stream.message().await.expect("a stream that goes on") {
        match part.part {
            Some(stream_events_response::Part::Event(event)) => events.push(event),
            Some(stream_events_response::Part::CaughtUp(_)) => return events,
            _ => {}
        }
    }
    events
}

async fn known_to_others(sandbox: &Sandbox) -> String {
    let spectator = GetViewRequest { as_spectator: true, ..GetViewRequest::of(&sandbox.game_id) };
    let spectator = sandbox.owner.does(spectator).await;
    let mut refusals = Vec::new();
    for text in
        ["produce Alcor 1: 1 scout", "produce Hydrae 1: 1 scout", "post Alcor", "land #1 Alcor 1"]
    {
        let refused = sandbox.order(2, text).await.expect_err("seat 2 has nothing");
        refusals.push((reason(&refused), word(&refused, "refusal"), refused.message().to_owned()));
    }
    let own = (sandbox.view(2).await, sandbox.offers(2).await);
    format!(
        "{own:?}\n{spectator:?}\n{refusals:?}\n{:?}\n{:?}",
        told(sandbox, 2).await,
        told(sandbox, 0).await
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_17_a_production_sheet_is_secret_until_all_are_in() {
    let engine = Engine::with(&["--sandbox"]);
    let ann = engine.player("Ann").await;
    let text = include_str!("../../examples/scenarios/stellar-conquest/bt-26-emigration.json");
    let mut scenario: serde_json::Value = serde_json::from_str(text).expect("a scenario");
    let position = serde_json::json!({ "stellarConquest": scenario["position"].take() });
    let request = CreateSandboxGameRequest {
        kind: "stellar-conquest".to_owned(),
        position: Some(json::from_value(&position).expect("a position")),
        ..CreateSandboxGameRequest::default()
    };
    let sandbox = Sandbox::create(&ann, request).await.expect("a sandbox");
    sandbox.order(2, "end turn").await.expect("the last player-turn of turn 4");
    let before = known_to_others(&sandbox).await;
    let own = told(&sandbox, 1).await.len();
    let refused =
        sandbox.order(1, "produce Alcor 1: emigrate 8+3").await.expect_err("too much bonus");
    assert_eq!(word(&refused, "rule"), "17.4");
    for sheet in ["emigrate 8+2; 22 into fighter", "4 corvettes", "emigrate 8+2; 20 into fighter"] {
        sandbox
            .order(1, &format!("produce Alcor 1: {sheet}"))
            .await
            .expect("a sheet may be replaced");
        assert_eq!(
            known_to_others(&sandbox).await,
            before,
            "seat 2 and spectators know what they knew"
        );
    }
    let handed_in = told(&sandbox, 1).await.split_off(own);
    let sheets = handed_in
        .iter()
        .filter_map(happening)
        .filter(|kind| matches!(kind, happened::Kind::SheetStored(_)));
    assert_eq!(sheets.count(), 3, "seat 1 is told what it has handed in");

    // Events after the close reveal only ship groups, stages and turns.
    let (seat, spectator) = (told(&sandbox, 2).await.len(), told(&sandbox, 0).await.len());
    sandbox.close().await;
    for (audience, from) in [(2, seat), (0, spectator)] {
        let events = told(&sandbox, audience).await;
        for kind in events[from..].iter().filter_map(happening) {
            let public = matches!(
                kind,
                happened::Kind::Grouped(_)
                    | happened::Kind::StageChanged(_)
                    | happened::Kind::TurnBegan(_)
            );
            assert!(public, "{kind:?} is told to {audience}");
        }
        assert!(!format!("{events:?}").contains("Fighter"));
    }
}
