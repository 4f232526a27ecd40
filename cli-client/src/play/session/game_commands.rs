//! Commands about the game as a whole: votes, resignation, chronicle, other games.

use super::execute::save;
use super::{Flow, Session};
use crate::commands::lobby::{self, my_games};
use crate::commands::talk::{self, Motion, find_seat};
use crate::commands::{absence, chronicle, quick_play};
use crate::failure::Failure;
use crate::input::parse_duration;
use crate::perspective::Perspective;
use crate::play::lines::Ballot;
use crate::style::Ink;
use crate::wording;

impl Session<'_> {
    pub(super) async fn chronicle_into(&self, file: &str) -> Result<String, Failure> {
        let perspective =
            Perspective { revealed: self.is_over(), ..Perspective::now(&self.table, false) };
        let leaves = chronicle::leaves(&self.engine, &self.game, perspective, true).await?;
        let saved = save(file, &chronicle::page(&self.game, &leaves), "the chronicle")?;
        Ok(format!("{saved} Open the file in a browser."))
    }

    pub(super) async fn vote(&mut self, ballot: Ballot) -> Result<(), Failure> {
        let vote = match ballot {
            Ballot::List => {
                let votes = talk::votes(&self.engine, &self.table).await?.votes;
                let text = talk::ballots(&self.screen.style, &self.game, &votes);
                self.screen.print(&text);
                return Ok(());
            }
            Ballot::Propose(subject, what) => {
                let wrong = |kind: &str, example: &str| {
                    let told = format!("`{what}` is not a {kind}; example: `vote {example}`.");
                    Failure::usage(told)
                };
                let motion = Motion::new(
                    subject,
                    || parse_duration(&what).map_err(|_| wrong("duration", "extend 2d")),
                    || {
                        let seat = find_seat(&self.game, &what);
                        seat.ok_or_else(|| wrong("player or seat", "replace Ann"))
                    },
                )?;
                talk::propose(&self.engine, &self.table, motion).await?.vote
            }
            Ballot::Cast(number, yes) => {
                talk::cast(&self.engine, &self.table, number, yes).await?.vote
            }
        };
        if let Some(vote) = vote {
            self.screen.print(&wording::vote(&self.game, &vote));
        }
        self.refresh_soon();
        Ok(())
    }

    pub(super) async fn resign(&mut self) -> Result<(), Failure> {
        if self.own_seat().is_none() {
            return Err(Failure::failed("You have no seat in this game."));
        }
        let question = "Resign permanently? Type yes to confirm: ";
        if self.screen.question(question).await.as_deref() != Some("yes") {
            self.screen.print("You have not resigned.");
            return Ok(());
        }
        absence::give_up(&self.engine, &self.table).await?;
        self.screen.print(absence::RESIGNED);
        self.shown = None;
        self.refresh_soon();
        Ok(())
    }

    pub(super) async fn rematch(&mut self) -> Result<Flow, Failure> {
        if !self.end_was_shown {
            return Err(Failure::failed(
                "A rematch is possible only after the end of the game. `resign` gives up your \
                 seat.",
            ));
        }
        if self.game.sandbox || self.game.your_seat.is_none() {
            let told = format!(
                "A rematch is not possible in sandbox games or for spectators. To start a new \
                 game, type `quit`, then run `cli-client play {}`.",
                self.game.kind
            );
            return Err(Failure::failed(told));
        }
        let asked = quick_play::rematch_of(&self.engine, self.game.game_id.clone()).await?;
        self.rematch = asked.game.map(|game| game.game_id);
        Ok(Flow::Leave)
    }

    pub(super) async fn games(&mut self) -> Result<(), Failure> {
        let games = my_games(&self.engine, true).await?;
        let style = self.screen.style;
        self.screen.print(&lobby::my_games_table(&style, &games));
        let hint = "`quit` leaves this game; `cli-client play GAME` opens another.";
        self.screen.print(&style.paint(hint, Ink::Faint));
        Ok(())
    }
}
