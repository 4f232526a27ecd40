//! Alone in Outer Space over gRPC with all mixes of seats. Every game is played to its end.

use std::time::Duration;

use heliopause_proto::stellar_conquest::v1::{Politics, View};
use heliopause_proto::v1::*;
use heliopause_tests::{
    AiClient, Engine, OfGame as _, Player, Sandbox, automated, lines, order_text,
};

const KIND: &str = "alone-in-outer-space";
/// A star far from all corners, to which all ships move in the first turn.
const MIDDLE: &str = "Draconis";

struct Person<'a> {
    player: &'a Player,
    game_id: &'a str,
    seat: u32,
}

impl Person<'_> {
    async fn sight(&self) -> (GetViewResponse, View) {
        let request = GetViewRequest { seat: Some(self.seat), ..GetViewRequest::of(self.game_id) };
        let answer = self.player.does(request).await;
        let Some(game_view::Game::StellarConquest(view)) =
            answer.view.clone().and_then(|view| view.game)
        else {
            panic!("a view of this game")
        };
        (answer, view)
    }

    async fn answers(&self) -> bool {
        let (answer, view) = self.sight().await;
        let Some(decision) = &answer.decision else { return false };
        if decision.ready {
            return false;
        }
        let power = view.power.as_ref().expect("a seat's view");
        assert_eq!(view.seat, self.seat, "everybody sees what their own power knows");
        let waiting: Vec<String> = power
            .ships
            .iter()
            .filter(|ship| ship.at.is_empty())
            .map(|ship| ship.number.to_string())
            .collect();
        let text = if waiting.is_empty() {
            self.least().await
        } else {
            let entry = &view.table.as_ref().expect("a table").entries[self.seat as usize - 1];
            format!("move #{} via {entry} to {MIDDLE}", waiting.join(","))
        };
        let request = SubmitOrdersRequest {
            game_id: self.game_id.to_owned(),
            seat: Some(self.seat),
            phase: answer.phase,
            revision: answer.revision,
            request_id: format!("{}-{:?}-{:?}", self.seat, answer.phase, answer.revision),
            orders: order_text(text.clone()),
            ready: decision.kind == "production",
        };
        let given = self.player.games().submit_orders(request).await;
        given.unwrap_or_else(|status| panic!("seat {}, {text}: {status:?}", self.seat));
        true
    }

    async fn least(&self) -> String {
        let request = GetOffersRequest { game_id: self.game_id.to_owned(), seat: Some(self.seat) };
        let lines = lines(&self.player.does(request).await);
        let words = ["end", "decree", "hold", "stay", "break", "place", "send", "scuttle"];
        let least = |line: &&String| words.iter().position(|word| line.starts_with(word));
        let line = lines.iter().filter(|line| least(line).is_some()).min_by_key(least);
        line.or(lines.first()).expect("something can be ordered").clone()
    }
}

async fn play_out(people: &[Person<'_>]) -> Game {
    let (owner, id) = (people[0].player, people[0].game_id);
    loop {
        let mut answered = false;
        for person in people {
            answered |= person.answers().await;
        }
        if answered {
            continue;
        }
        let game = owner.game(id).await;
        if game.status() == GameStatus::Ended {
            return game;
        }
        assert_eq!(game.status(), GameStatus::Running);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn proved(player: &Player, game: &Game) {
    let points = &game.outcome.as_ref().expect("a finished game has an outcome").points;
    assert_eq!(points.len(), 4, "{points:?}");
    player.verified(&game.game_id).await;
}

async fn politics(player: &Player, id: &str) -> Politics {
    let request = GetViewRequest { as_spectator: true, ..GetViewRequest::of(id) };
    let view = player.does(request).await.view.and_then(|view| view.game);
    let Some(game_view::Game::StellarConquest(view)) = view else { panic!("a view of this game") };
    assert!(view.power.is_none(), "a spectator sees what is public");
    view.table.and_then(|table| table.politics).expect("politics are public")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_watches_four_automated_powers_to_the_end() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada.create_with(0, |request| {
        KIND.clone_into(&mut request.kind);
        request.spectate = true;
        request.seats = ["strong", "standard", "standard", "random"].map(automated).to_vec();
    });
    let game = game.await;
    let _ai = AiClient::start(&engine);
    let over = ada.ended(&game.game_id).await;
    let claims = politics(&ada, &game.game_id).await.claims.len();
    assert!(claims > 20, "they explored {claims} stars");
    proved(&ada, &over).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_plays_against_three_automated_powers() {
    let engine = Engine::start();
    let ada = engine.player("Ada").await;
    let game = ada.create_with(0, |request| {
        KIND.clone_into(&mut request.kind);
        request.seats.extend(["standard", "standard", "random"].map(automated));
    });
    let game = game.await;
    let _ai = AiClient::start(&engine);
    let over = play_out(&[Person { player: &ada, game_id: &game.game_id, seat: 1 }]).await;
    assert!(politics(&ada, &game.game_id).await.claims.iter().any(|claim| claim.seat != 1));
    proved(&ada, &over).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_plays_all_four_powers() {
    let engine = Engine::with(&["--sandbox"]);
    let ada = engine.player("Ada").await;
    let request = CreateSandboxGameRequest {
        kind: KIND.to_owned(),
        players: Some(4),
        ..CreateSandboxGameRequest::default()
    };
    let sandbox = Sandbox::create(&ada, request).await.expect("a sandbox");
    let person = |seat| Person { player: &ada, game_id: &sandbox.game_id, seat };
    let over = play_out(&[1, 2, 3, 4].map(person)).await;
    proved(&ada, &over).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_and_see_only_their_own_power() {
    let engine = Engine::start();
    let mut players = Vec::new();
    for name in ["Ada", "Bea", "Cay", "Dot"] {
        players.push(engine.player(name).await);
    }
    let game = players[0].create_with(3, |request| KIND.clone_into(&mut request.kind)).await;
    for player in &players[1..] {
        player.join(&game.game_id).await;
    }
    let mut people = Vec::new();
    for player in &players {
        let seat = player.game(&game.game_id).await.your_seat.expect("a seat");
        people.push(Person { player, game_id: &game.game_id, seat });
    }
    let over = play_out(&people).await;
    proved(&players[0], &over).await;
    for person in &people {
        let (_, view) = person.sight().await;
        let own = view.power.expect("a seat's view");
        // Charts are private: a power does not see cards that only other powers have explored.
        let politics = view.table.and_then(|table| table.politics).expect("politics");
        let mine = politics.claims.iter().filter(|claim| claim.seat == person.seat);
        assert!(mine.clone().all(|claim| own.charts.iter().any(|chart| chart.star == claim.star)));
    }
}
