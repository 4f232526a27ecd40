//! Memory used by a live game.

use std::alloc::System;

use heliopause_kernel::Wire;
use heliopause_samples::war::{Kind, War};
use heliopause_star_empires::StarEmpires;
use prost::Message;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn live_bytes(region: &Region<'_, System>) -> usize {
    let change = region.change();
    change.bytes_allocated - change.bytes_deallocated
}

fn serialized(game: &StarEmpires) -> usize {
    StarEmpires::write_position(game).encoded_len()
}

/// This must be the only test in the binary, because allocations of other tests would be counted.
#[test]
fn a_live_game_uses_at_most_three_times_its_encoded_size() {
    let region = Region::new(ALLOCATOR);
    let mut war = War::ordered(Kind::War, 12, 250);
    let with_orders = (live_bytes(&region), serialized(&war.game));
    drop(war.close());
    let with_reports = (live_bytes(&region), serialized(&war.game));
    for (what, (heap, wire)) in
        [("with its orders given", with_orders), ("after its update", with_reports)]
    {
        println!(
            "{what}: {heap} bytes in memory, {wire} on the wire: {} in a hundred",
            heap * 100 / wire
        );
        assert!(heap <= 3 * wire, "{what} it takes {heap} bytes in memory and {wire} on the wire");
    }
}
