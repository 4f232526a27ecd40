//! Two engines on one database.

use crate::{Engine, EngineOptions, Player, Postgres};

/// Two engines on one database. An engine that starts again has the same port.
pub struct Pair {
    database: String,
    pub arguments: [Vec<String>; 2],
    pub ports: [u16; 2],
    pub engines: [Option<Engine>; 2],
    pub postgres: Postgres,
}

impl Pair {
    pub fn start(arguments: &[&str]) -> Option<Self> {
        Some(Self::on(Postgres::shared()?, arguments))
    }

    pub fn on(postgres: Postgres, arguments: &[&str]) -> Self {
        let database = postgres.database("games");
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let mut pair = Self {
            database,
            arguments: [arguments.clone(), arguments],
            ports: [0, 0],
            engines: [None, None],
            postgres,
        };
        pair.start_engine(0);
        pair.start_engine(1);
        pair
    }

    pub fn start_engine(&mut self, which: usize) {
        let options = EngineOptions {
            arguments: self.arguments[which].clone(),
            database: Some(self.database.clone()),
            port: self.ports[which],
            ..EngineOptions::default()
        };
        let engine = Engine::on(Engine::directory(), options);
        self.ports[which] = engine.port();
        self.engines[which] = Some(engine);
    }

    pub fn engine(&self, which: usize) -> &Engine {
        self.engines[which].as_ref().expect("it runs")
    }

    /// Returns the player as a client of the second engine.
    pub async fn there(&self, player: &Player) -> Player {
        player.on(self.engine(1).channel().await)
    }

    pub fn urls(&self) -> String {
        self.ports.map(|port| format!("http://127.0.0.1:{port}")).join(",")
    }
}
