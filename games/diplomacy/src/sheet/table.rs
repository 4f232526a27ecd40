//! The encoded form of the public state, grouped by power.

use heliopause_kernel::wire::{Result, inside, wrong, wrong_field};
use heliopause_kernel::{Seat, SeatSet};

use super::{PowerRow, TableSheet};
use crate::board::STANDARD_POWERS;
use crate::options::{FIRST_YEAR, PLAYERS_MIN};
use crate::order::{Named, Place};
use crate::position::{IMPOSSIBLE_UNIT, Kind, Position, SPACECRAFT, Unit, Variant};
use crate::table::Table;

impl TableSheet {
    pub(super) fn of(table: &Table) -> Self {
        let names = table.options.powers(table.players).into_iter().map(|(name, _)| name);
        Self {
            options: table.options.clone(),
            players: Some(table.players as u8),
            year: Some(table.year),
            phase: table.phase,
            number: table.number,
            powers: PowerRow::all(&table.position, table.eliminated, names),
            dislodged: table.dislodged.clone(),
            attempts: table.attempts.clone(),
            years_without_change: table.quiet_years,
            ending: table.ending,
        }
    }

    pub(super) fn table(self) -> Result<Table> {
        let players = self.players()?;
        let codes = self.options.powers(players).into_iter().map(|(_, code)| code);
        let mut table = Table {
            position: Position::empty(self.options.variant, codes),
            players,
            year: self.year.unwrap_or(FIRST_YEAR),
            phase: self.phase,
            number: self.number.max(1),
            dislodged: self.dislodged,
            attempts: self.attempts,
            eliminated: SeatSet::EMPTY,
            quiet_years: self.years_without_change,
            ending: self.ending,
            options: self.options,
        };
        for (index, power) in self.powers.iter().enumerate() {
            inside(&format!("powers[{index}]"), power.put(&mut table.position))?;
            if power.eliminated {
                table.eliminated.insert(power.seat);
            }
        }
        Ok(table)
    }

    fn players(&self) -> Result<usize> {
        let last =
            || self.powers.iter().map(|power| power.seat.index() + 1).max().unwrap_or_default();
        let players = match (self.players, self.options.variant) {
            (Some(players), _) => players.into(),
            (None, Variant::Standard) => STANDARD_POWERS,
            (None, Variant::OuterSpace) => last().max(PLAYERS_MIN),
        };
        let allowed = self.options.players();
        if !allowed.contains(&players) {
            return wrong_field(
                "players",
                format!("expected {} to {}, found {players}", allowed.start(), allowed.end()),
            );
        }
        Ok(players)
    }
}

impl PowerRow {
    pub(crate) fn all(
        position: &Position,
        out: SeatSet,
        names: impl IntoIterator<Item = String>,
    ) -> Vec<Self> {
        let power = |(seat, name): (Seat, String)| Self {
            seat,
            name,
            code: position.powers[seat.index()].code.to_string(),
            units: position.units_of(seat).map(Named::from).collect(),
            orbit: position.orbit(seat),
            centers: position.centers_of(seat),
            colonies: position.colonies_of(seat),
            eliminated: out.contains(seat),
        };
        position.seats().zip(names).map(power).collect()
    }

    pub(super) fn put(&self, position: &mut Position) -> Result<()> {
        let seat = self.seat;
        let count = position.powers.len();
        if seat.index() >= count {
            let text = format!("expected 1 to {count}, found {}", seat.number());
            return wrong_field("seat", text);
        }
        for (index, unit) in self.units.iter().enumerate() {
            let unit = inside(&format!("units[{index}]"), unit.of(seat))?;
            if position.unit(unit.at.province()).is_some() {
                return wrong_field(
                    &format!("units[{index}].at"),
                    format!("two units are in {}", unit.at.province()),
                );
            }
            position.put(unit);
        }
        let most = if position.variant == Variant::OuterSpace { SPACECRAFT } else { 0 };
        if self.orbit > most {
            return wrong_field(
                "orbit",
                format!("{} armies are too many; the maximum is {most}", self.orbit),
            );
        }
        *position.orbit_mut(seat) = self.orbit;
        inside("centers", self.put_centers(position))?;
        inside("colonies", self.put_colonies(position))
    }

    fn put_centers(&self, position: &mut Position) -> Result<()> {
        for center in self.centers.iter() {
            if !center.is_center() {
                return wrong(format!("{center} is not a supply center"));
            }
            if position.centers[center.index()].replace(self.seat).is_some() {
                return wrong(format!("{center} has two owners"));
            }
        }
        Ok(())
    }

    fn put_colonies(&self, position: &mut Position) -> Result<()> {
        for colony in self.colonies.iter() {
            if position.variant == Variant::Standard {
                return wrong("the standard game has no colonies");
            }
            if !colony.is_land() {
                return wrong(format!("{colony} is a sea, which cannot be colonized"));
            }
            if position.colonies[colony.index()].replace(self.seat).is_some() {
                return wrong(format!("{colony} is a colony of two empires"));
            }
        }
        Ok(())
    }
}

impl Named {
    pub(crate) fn needed_kind(self) -> Result<Kind> {
        let missing = || wrong_field("kind", "the kind is missing; expected an army or a fleet");
        self.kind.map_or_else(missing, Ok)
    }

    pub(crate) fn of(self, owner: Seat) -> Result<Unit> {
        let kind = self.needed_kind()?;
        match self.at {
            Place::Earth(at) if kind.can_stand(at) => Ok(Unit { owner, kind, at }),
            Place::Earth(at) => {
                wrong_field("at", format!("{} {at} {IMPOSSIBLE_UNIT}", kind.as_str()))
            }
            Place::Orbit => wrong_field("at", "this unit must be on the map, not in orbit"),
        }
    }
}
