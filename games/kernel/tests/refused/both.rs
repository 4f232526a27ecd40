use heliopause_kernel::wire::Wire;

struct Message {
    rows: Vec<u32>,
}

mod by_hand {}

#[derive(Wire)]
#[wire(message = Message)]
struct Both {
    #[wire(with = by_hand, most = 3)]
    rows: Vec<u32>,
}

fn main() {}
