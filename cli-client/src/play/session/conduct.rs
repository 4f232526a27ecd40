//! What is done about the game rather than in it: votes, resigning, the chronicle, other games.

use super::{Flow, Session};
use crate::commands::lobby::{self, my_games};
use crate::commands::talk::{self, Motion, find_seat};
use crate::commands::{away, chronicle, look};
use crate::failure::{Failure, about};
use crate::glance::{self, Glance};
use crate::input::parse_duration;
use crate::play::{self, lines::Ballot};
use crate::style::Ink;
use crate::wording;

impl Session<'_> {
    pub(super) async fn phases(&mut self) -> Result<(), Failure> {
        let phases = glance::phases(&self.engine, &self.table.game).await?;
        self.screen.print(&look::phase_lines(&self.screen.style, &phases));
        Ok(())
    }

    /// The game so far as a page; all of it once it is over.
    pub(super) async fn chronicle_into(&mut self, file: &str) -> Result<(), Failure> {
        let glance = Glance { revealed: self.is_over(), ..Glance::now(&self.table, false) };
        let leaves = chronicle::leaves(&self.engine, &self.game, glance, true).await?;
        let page = chronicle::page(&self.game, &leaves);
        std::fs::write(file, page).map_err(|error| about(file.as_ref(), &error))?;
        self.screen.print(&format!("The chronicle is in {file}; a browser shows it."));
        Ok(())
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
                        parse_duration(&what)
                            .map_err(|_| Failure::usage("By how much: vote extend 2d"))
                    },
                    || {
                        let seat = find_seat(&self.game, &what);
                        seat.ok_or_else(|| Failure::usage("Whose seat: vote replace NAME"))
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
        self.look_soon();
        Ok(())
    }

    /// Asks once more, for it cannot be undone.
    pub(super) async fn resign(&mut self) -> Result<(), Failure> {
        let question = "Give your seat up for good? Type yes to do it: ";
        if self.screen.question(question).await.as_deref() != Some("yes") {
            self.screen.print("You keep your seat.");
            return Ok(());
        }
        away::give_up(&self.engine, &self.table).await?;
        self.screen.print(away::RESIGNED);
        self.shown = None;
        self.look_soon();
        Ok(())
    }

    /// Creates the same game again and goes there. Other people get an invitation.
    pub(super) async fn rematch(&mut self) -> Result<Flow, Failure> {
        if !self.end_was_told {
            return Err(Failure::failed("The game is not over. `resign` gives your seat up."));
        }
        if self.game.sandbox || self.game.your_seat.is_none() {
            let told =
                format!("`quit`, then `cli-client play {}` starts a new game.", self.game.kind);
            return Err(Failure::failed(told));
        }
        self.rematch = Some(play::rematch(&self.engine, &self.game).await?);
        Ok(Flow::Leave)
    }

    pub(super) async fn games(&mut self) -> Result<(), Failure> {
        let games = my_games(&self.engine, true).await?;
        let style = self.screen.style;
        self.screen.print(&lobby::my_games_table(&style, &games));
        let hint = "`quit` leaves this table; `cli-client play GAME` sits down at another.";
        self.screen.print(&style.paint(hint, Ink::Faint));
        Ok(())
    }
}
