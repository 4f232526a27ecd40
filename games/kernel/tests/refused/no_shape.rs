use heliopause_kernel::wire::Wire;

#[derive(Wire)]
struct Nothing {
    said: u32,
}

fn main() {}
