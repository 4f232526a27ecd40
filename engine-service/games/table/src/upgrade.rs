//! Snapshots of older formats, brought up to date one version at a time.

use heliopause_proto::store::v1::TableState;

use crate::registry::AnyGame;
use crate::table::FORMAT;

/// Brings a state that was read to the format that is written.
pub(crate) fn to_current(state: &mut TableState, game: Option<&dyn AnyGame>) {
    if state.format == 1 {
        remember_prompts(state, game);
        state.format = 2;
    }
    assert_eq!(state.format, FORMAT, "every older format has its step above");
}

/// Format 1 kept only the kind and number of an open decision. Without the prompt, which is kept
/// since, every open decision would seem new, and orders on their way would come too late.
fn remember_prompts(state: &mut TableState, game: Option<&dyn AnyGame>) {
    let pending = game.map(AnyGame::pending).unwrap_or_default();
    for (index, seat) in state.seats.iter_mut().enumerate() {
        for key in &mut seat.asked {
            let mut same =
                pending.iter().filter(|one| one.seat.index() == index && one.kind == key.kind);
            if let Some(decision) = same.find(|one| one.number == key.number) {
                key.prompt.clone_from(&decision.prompt);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::store::v1::{
        Created, DecisionKey, Person, PlannedSeat, Taken, planned_seat::Plan, seat_state::Occupant,
    };

    use crate::{Table, chain};

    const SECRET: chain::Hash = [3; 32];

    fn table(kind: &str) -> Table {
        let seat = |id: &str| {
            let player = Some(Person { player_id: id.to_owned(), name: id.to_owned() });
            PlannedSeat { plan: Some(Plan::Taken(Taken { player, ..Taken::default() })) }
        };
        let created = Created {
            kind: kind.to_owned(),
            seats: ["ann", "bob"].map(seat).into(),
            seed_commitment: chain::commitment(&SECRET).to_vec().into(),
            game_id: "table".to_owned(),
            start_when_full: true,
            ..Created::default()
        };
        Table::lay(created, SECRET, "ann", 0).expect("a table").0
    }

    #[test]
    fn a_state_of_the_first_format_gets_the_prompts_of_what_is_asked_and_of_nothing_else() {
        let table = table("starships-at-large");
        let mut old = table.full_state();
        old.format = 1;
        let asked = old.seats.iter().position(|seat| !seat.asked.is_empty()).expect("one is asked");
        let key = old.seats[asked].asked[0].clone();
        assert!(!key.prompt.is_empty());
        let bare = DecisionKey { prompt: String::new(), ..key.clone() };
        let other = DecisionKey { kind: "another".to_owned(), ..bare.clone() };
        let later = DecisionKey { number: bare.number + 1, ..bare.clone() };
        let elsewhere = 1 - asked;
        old.seats[elsewhere].asked = vec![bare.clone()];
        old.seats[asked].asked = vec![other, later, bare];
        let read = Table::from_state(old, SECRET).expect("it is read");
        let prompts = |seat: usize| -> Vec<&str> {
            read.state.seats[seat].asked.iter().map(|key| key.prompt.as_str()).collect()
        };
        assert_eq!(prompts(asked), ["", "", key.prompt.as_str()]);
        assert_eq!(prompts(elsewhere), [""]);
        assert_eq!(read.state.format, crate::table::FORMAT);
    }

    #[test]
    fn a_state_is_read_that_can_be_played_on_and_no_other() {
        let state = table("star-empires").full_state();
        let read = |change: &dyn Fn(&mut super::TableState)| {
            let mut state = state.clone();
            change(&mut state);
            Table::from_state(state, SECRET).err().unwrap_or_default()
        };
        assert_eq!(read(&|_| {}), "");
        assert!(read(&|state| state.format = 0).contains("format 0"));
        let next = crate::table::FORMAT + 1;
        assert!(read(&|state| state.format = next).contains(&format!("format {next}")));
        assert!(read(&|state| state.position = None).contains("without a position"));
        assert!(read(&|state| drop(state.seats.pop())).contains("other seats"));
        assert!(read(&|state| state.created = None).contains("unknown game"));
        let occupant = |state: &mut super::TableState| {
            state.seats[0].occupant = Some(Occupant::Open(heliopause_proto::v1::OpenSeat {}));
        };
        assert_eq!(read(&occupant), "", "a seat may be open");
    }

    #[test]
    fn a_state_without_the_seed_of_its_dice_gets_it_from_what_its_players_revealed() {
        let mut state = table("star-empires").full_state();
        assert!(!state.dice_seed.is_empty());
        let seed = |entropy: &[&[u8]]| chain::dice_seed(&SECRET, entropy.iter().copied());
        for (one, other, expected) in [
            (&b""[..], &b""[..], seed(&[])),
            (b"one", b"", seed(&[b"one"])),
            (b"one", b"two", seed(&[b"one", b"two"])),
        ] {
            state.dice_seed = bytes::Bytes::new();
            state.seats[0].entropy = one.to_vec().into();
            state.seats[1].entropy = other.to_vec().into();
            let read = Table::from_state(state.clone(), SECRET).expect("it is read");
            assert_eq!(read.state.dice_seed, expected.as_slice());
        }
    }
}
