//! Rule 9: the progress of each player towards victory, as far as the viewer can see it.

use heliopause_kernel::{Goal, Seat};

use crate::board::Place;
use crate::table::{DeathStar, Status};
use crate::view::{Insight, View};

pub(crate) fn goals(view: &View) -> Vec<Goal> {
    if view.table.is_over() {
        return Vec::new();
    }
    view.table.living().map(|seat| planets(view, seat)).chain([clock(view)]).collect()
}

/// Returns the goal of a player, which is a number of live planets owned by the player's side (rule
/// 9, R42).
fn planets(view: &View, seat: Seat) -> Goal {
    let table = &view.table;
    let enough = i64::from(table.options.live_planets_to_win);
    let own = view.live_planets(seat);
    let known = match view.insight {
        Insight::GameMaster(_) => "",
        Insight::Seat(..) | Insight::Spectator => " (as far as known)",
    };
    let members = || table.living().filter(|&seat| table.is_member(seat));
    let partner = table.partner[seat.index()];
    let (label, value, sentence) = match (table.status(seat), partner) {
        (Some(Status::Alliance), _) => {
            let all = members().map(|member| view.live_planets(member)).sum();
            let sentence =
                format!("Live planets: {own}, in the whole Alliance {all}{known}; {enough} win.");
            ("live planets of the Alliance", all, sentence)
        }
        (Some(Status::Independent), Some(partner)) => {
            let both = own + view.live_planets(partner);
            let sentence =
                format!("Live planets: {own}, with the partner's {both}{known}; {enough} win.");
            ("live planets of both partners", both, sentence)
        }
        (Some(Status::Independent | Status::Exiled { .. } | Status::Eliminated) | None, _) => {
            ("live planets", own, format!("Live planets: {own}{known}; {enough} win."))
        }
    };
    Goal { seat: Some(seat), label, value, target: Some(enough), rule: "9", sentence }
}

/// Returns the limit on rounds as a goal. An active Death Star extends the game (R40).
fn clock(view: &View) -> Goal {
    let (options, round) = (&view.table.options, view.table.round);
    let (last, rule, sentence) = match view.table.death_star {
        DeathStar::Active { .. } => {
            let last = options.last_round_with_death_star;
            let text =
                format!("Round {round}; everyone loses if the Death Star survives round {last}.");
            (last, "R40", text)
        }
        DeathStar::Undisturbed | DeathStar::Gone => {
            let last = options.rounds.max(round);
            (last, "9", format!("Round {round}; the game ends after round {last}."))
        }
    };
    let (value, target) = (i64::from(round), Some(i64::from(last)));
    Goal { seat: None, label: "rounds", value, target, rule, sentence }
}

impl View {
    fn live_planets(&self, seat: Seat) -> i64 {
        let is_own = |at: &Place| {
            self.note(*at).is_some_and(|note| note.owner == Some(seat) && note.marker.is_live())
        };
        Place::all().filter(is_own).count() as i64
    }
}
