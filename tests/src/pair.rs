//! Two engines on one database.

use std::net::TcpListener;

use crate::{Engine, EngineOptions, Postgres};

/// Two engines on one database, with fixed ports.
pub struct Pair {
    database: String,
    pub arguments: [Vec<String>; 2],
    pub ports: [u16; 2],
    pub engines: [Option<Engine>; 2],
    _postgres: Postgres,
}

impl Pair {
    pub fn start(arguments: &[&str]) -> Option<Self> {
        let postgres = Postgres::shared()?;
        let database = postgres.database("games");
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let ports = [(); 2]
            .map(|()| TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
        let mut pair = Self {
            database,
            arguments: [arguments.clone(), arguments],
            ports,
            engines: [None, None],
            _postgres: postgres,
        };
        pair.start_engine(0);
        pair.start_engine(1);
        Some(pair)
    }

    pub fn start_engine(&mut self, which: usize) {
        let options = EngineOptions {
            arguments: self.arguments[which].clone(),
            database: Some(self.database.clone()),
            port: self.ports[which],
            ..EngineOptions::default()
        };
        self.engines[which] = Some(Engine::on(Engine::directory(), options));
    }

    pub fn engine(&self, which: usize) -> &Engine {
        self.engines[which].as_ref().expect("it runs")
    }

    pub fn urls(&self) -> String {
        self.ports.map(|port| format!("http://127.0.0.1:{port}")).join(",")
    }
}
