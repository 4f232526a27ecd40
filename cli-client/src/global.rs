//! Options of every subcommand.

use std::path::PathBuf;

use clap::Args;

use crate::terminal::ColorChoice;

/// Options of every subcommand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// The engine; of several that share their games all, with commas between them
    /// [default: the profile's, else http://127.0.0.1:50051].
    #[arg(long, global = true, value_name = "URL", env = "HELIOPAUSE_ENGINE", hide_env = true)]
    pub engine: Option<String>,
    /// Answer in JSON: one document a result, streams as JSON lines, errors on standard error.
    #[arg(long, global = true)]
    pub json: bool,
    /// Who you are: a profile keeps one account for each engine.
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        env = "HELIOPAUSE_PROFILE",
        hide_env = true,
        default_value = "default"
    )]
    pub profile: String,
    /// Read the token from a file instead of the profile (or set HELIOPAUSE_TOKEN).
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "HELIOPAUSE_TOKEN_FILE",
        hide_env = true
    )]
    pub token_file: Option<PathBuf>,
    /// Trust this certificate authority for https:// engines, instead of the system's.
    #[arg(long, global = true, value_name = "FILE", env = "HELIOPAUSE_TLS_CA", hide_env = true)]
    pub tls_ca: Option<PathBuf>,
    /// For screen readers: no colour, no symbols, no spinner, and maps in sentences.
    #[arg(long, global = true, env = "HELIOPAUSE_PLAIN", hide_env = true)]
    pub plain: bool,
    /// When to use colour and Unicode.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorChoice,
}
