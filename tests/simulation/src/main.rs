//! The command line of the simulation.

use std::process::ExitCode;

fn main() -> ExitCode {
    heliopause_simulation::command::main()
}
