use heliopause_kernel::wire::Wire;

#[derive(Wire)]
#[wire(words = Side)]
enum Own {
    Attacker(u32),
}

fn main() {}
