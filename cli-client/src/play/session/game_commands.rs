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
use crate::words::say;

impl Session<'_> {
    pub(super) async fn chronicle_into(&self, file: &str) -> Result<String, Failure> {
        let perspective =
            Perspective { revealed: self.is_over(), ..Perspective::now(&self.table, false) };
        let leaves = chronicle::leaves(&self.engine, &self.game, perspective, true).await?;
        save(file, &chronicle::page(&self.game, &leaves))?;
        Ok(say!("play-saved-chronicle-open-file", file = file))
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
                let motion = Motion::new(
                    subject,
                    || {
                        parse_duration(&what).map_err(|_| {
                            Failure::usage(say!("play-not-duration-example-vote", what = what))
                        })
                    },
                    || {
                        let seat = find_seat(&self.game, &what);
                        seat.ok_or_else(|| {
                            Failure::usage(say!("play-not-player-seat-example", what = what))
                        })
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
            return Err(Failure::failed(say!("play-no-seat-game")));
        }
        let question = say!("play-resign-permanently-type-yes");
        if self.screen.question(&question).await.as_deref() != Some("yes") {
            self.screen.print(&say!("play-not-resigned"));
            return Ok(());
        }
        absence::give_up(&self.engine, &self.table).await?;
        self.screen.print(&absence::resigned());
        self.shown = None;
        self.refresh_soon();
        Ok(())
    }

    pub(super) async fn rematch(&mut self) -> Result<Flow, Failure> {
        if !self.end_was_shown {
            return Err(Failure::failed(say!("play-rematch-possible-only-after")));
        }
        if self.game.sandbox || self.game.your_seat.is_none() {
            let told = say!("play-rematch-not-possible-sandbox", kind = self.game.kind);
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
        let hint = say!("play-quit-leaves-game-cli-client");
        self.screen.print(&style.paint(hint, Ink::Faint));
        Ok(())
    }
}
