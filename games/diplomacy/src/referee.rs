//! The sequence of phases, turns and years (D2).

use heliopause_kernel::{Audience, Emitted, Seat, SeatSet};

use crate::adjustment::{Adjusted, adjust, has_adjustment};
use crate::command::{Command, Sheet};
use crate::event::{AdjustedLine, Event};
use crate::game::Diplomacy;
use crate::movement::{Given, Movement};
use crate::position::Position;
use crate::retreat::{RetreatReport, resolve as resolve_retreats};
use crate::table::{EndReason, Ending, Phase, ending_by_centers, ending_by_elimination};
use crate::turn_end::{colonize, take_centers};

impl Diplomacy {
    pub(crate) fn resolve(&mut self) -> Emitted<Event> {
        let mut told = Emitted::new();
        loop {
            self.resolve_phase(&mut told);
            if self.table.ending.is_some() || self.table.seats().any(|seat| self.table.owes(seat)) {
                return told;
            }
        }
    }

    fn publish_to_all(&mut self, told: &mut Emitted<Event>, event: Event) {
        self.apply(&event);
        told.publish(Audience::everyone(), event);
    }

    fn resolve_phase(&mut self, told: &mut Emitted<Event>) {
        match self.table.phase {
            Phase::SpringMovement => self.resolve_movement(told, Phase::SpringRetreat),
            Phase::FallMovement => self.resolve_movement(told, Phase::FallRetreat),
            Phase::SpringRetreat | Phase::FallRetreat => {
                self.resolve_retreats(told);
                self.end_turn(told);
            }
            Phase::Winter => self.resolve_winter(told),
        }
    }

    fn given(&self) -> Vec<Given> {
        let given = |(index, sheet): (usize, &Sheet)| {
            let seat = Seat::at(index);
            sheet.orders.iter().map(move |&order| Given { seat, order }).collect::<Vec<_>>()
        };
        self.sheets.iter().enumerate().flat_map(given).collect()
    }

    fn resolve_movement(&mut self, told: &mut Emitted<Event>, retreats: Phase) {
        let orders = self.given();
        let movement = Movement::resolve(&self.table.position, &orders);
        let after = movement.aftermath();
        let reports = movement.reports(&orders);
        let stranded = after.dislodged.iter().all(|one| one.retreats.is_empty());
        let any = !after.dislodged.is_empty();
        let event =
            Event::Moved { reports, dislodged: after.dislodged, contested: after.contested };
        self.publish_to_all(told, event);
        if !stranded {
            return self.begin(told, self.table.year, retreats);
        }
        if any {
            self.resolve_retreats(told);
        }
        self.end_turn(told);
    }

    fn resolve_retreats(&mut self, told: &mut Emitted<Event>) {
        let dislodged = &self.table.dislodged;
        let fates = resolve_retreats(&mut self.table.position.clone(), dislodged, &self.given());
        let fates = dislodged
            .iter()
            .zip(fates)
            .map(|(one, fate)| RetreatReport { unit: one.unit, fate })
            .collect();
        self.publish_to_all(told, Event::Retreated { fates });
    }

    /// Resolves colonies, ownership of centers in fall, and eliminations (D2, 2 to 6).
    fn end_turn(&mut self, told: &mut Emitted<Event>) {
        let fall = self.table.phase.is_fall();
        let mut position = self.table.position.clone();
        let colonizing = colonize(&mut position, &self.table.attempts);
        let centers = if fall { take_centers(&mut position) } else { Vec::new() };
        let eliminated = self.newly_eliminated(&position);
        self.publish_to_all(told, Event::TurnEnded { colonizing, centers, eliminated });
        self.publish_eliminated(told, eliminated);
        if let Some(ending) = self.ending_now(eliminated, fall) {
            return self.publish_to_all(told, Event::Ended { ending });
        }
        if !fall {
            self.begin(told, self.table.year, Phase::FallMovement);
        } else if self.table.position.seats().any(|seat| has_adjustment(&self.table.position, seat))
        {
            self.begin(told, self.table.year, Phase::Winter);
        } else {
            self.begin_year(told);
        }
    }

    fn publish_eliminated(&self, told: &mut Emitted<Event>, eliminated: SeatSet) {
        for seat in eliminated.intersection(self.table.seats().collect()).iter() {
            told.publish(Audience::seat(seat), Event::Eliminated { seat });
        }
    }

    fn newly_eliminated(&self, position: &Position) -> SeatSet {
        let out = |seat: &Seat| position.is_eliminated(*seat);
        self.table.powers_alive().iter().filter(out).collect()
    }

    /// Returns the end of the game by rules D8.7, R17 and R22, checked in this order.
    fn ending_now(&self, eliminated: SeatSet, fall: bool) -> Option<Ending> {
        let table = &self.table;
        let winner = || {
            ending_by_centers(
                &table.position,
                table.seats().collect(),
                table.options.victory_centers,
            )
        };
        if fall && let Some(ending) = winner() {
            return Some(ending);
        }
        if let Some(ending) = self.ending_by_elimination(eliminated) {
            return Some(ending);
        }
        let (stalemate, last) = (table.options.stalemate_years, table.options.last_year);
        if fall && stalemate > 0 && table.quiet_years >= stalemate {
            return Some(Ending { reason: EndReason::Stalemate, winners: table.alive() });
        }
        (fall && last > 0 && table.year >= last)
            .then(|| Ending { reason: EndReason::LastYear, winners: table.alive() })
    }

    fn ending_by_elimination(&self, eliminated: SeatSet) -> Option<Ending> {
        let fallen = eliminated.intersection(self.table.seats().collect());
        ending_by_elimination(self.table.alive(), self.table.powers_alive(), fallen)
    }

    fn resolve_winter(&mut self, told: &mut Emitted<Event>) {
        let mut position = self.table.position.clone();
        let mut lines = Vec::new();
        for seat in position.seats() {
            let sheet = self.sheets.get(seat.index()).cloned().unwrap_or_default().orders;
            let given: Vec<Given> = sheet.iter().map(|&order| Given { seat, order }).collect();
            let (results, automatic) = adjust(&mut position, seat, &given);
            let line = |order: Option<_>, result: Adjusted| AdjustedLine { seat, order, result };
            lines.extend(
                sheet.iter().zip(results).map(|(&order, result)| line(Some(order), result)),
            );
            lines.extend(automatic.into_iter().map(|result| line(None, result)));
        }
        let eliminated = self.newly_eliminated(&position);
        self.publish_to_all(told, Event::Adjusted { lines, eliminated });
        self.publish_eliminated(told, eliminated);
        match self.ending_by_elimination(eliminated) {
            Some(ending) => self.publish_to_all(told, Event::Ended { ending }),
            None => self.begin_year(told),
        }
    }

    /// Starts the next year, unless no power can ever act again (R16).
    fn begin_year(&mut self, told: &mut Emitted<Event>) {
        let position = &self.table.position;
        let can_act = |seat: Seat| position.strength(seat) > 0 || has_adjustment(position, seat);
        if !self.table.seats().any(can_act) {
            let (reason, winners) = (EndReason::NobodyCanAct, self.table.alive());
            let ending = Ending { reason, winners };
            return self.publish_to_all(told, Event::Ended { ending });
        }
        self.begin(told, self.table.year.saturating_add(1), Phase::SpringMovement);
    }

    pub(crate) fn begin(&mut self, told: &mut Emitted<Event>, year: u16, phase: Phase) {
        let before = self.sheets.clone();
        self.publish_to_all(told, Event::PhaseBegan { year, phase });
        for (seat, sheet) in self.table.seats().zip(before) {
            for order in self.table.orders_from(seat, &sheet.conditionals) {
                self.store(seat, Command::Order(order), told);
            }
        }
    }
}
