use heliopause_kernel::wire::Wire;

struct Message {
    number: u32,
}

#[derive(Wire)]
#[wire(message = Message)]
struct Typo {
    #[wire(nmae = number)]
    nth: u32,
}

fn main() {}
