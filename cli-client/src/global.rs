//! The global options.

use std::path::PathBuf;

use clap::Args;

use crate::terminal::ColorChoice;

/// Options of every subcommand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// URL of the engine, or comma-separated URLs of engines that share a database [default: the
    /// URL in the profile, else http://127.0.0.1:50051].
    #[arg(long, global = true, value_name = "URL", env = "HELIOPAUSE_ENGINE", hide_env = true)]
    pub engine: Option<String>,
    /// Print JSON: one document per result, streams as JSON lines, errors on standard error.
    #[arg(long, global = true)]
    pub json: bool,
    /// Name of the profile to use; a profile contains one account for each engine.
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
    /// Trust this certificate authority for https:// engines instead of the system default.
    #[arg(long, global = true, value_name = "FILE", env = "HELIOPAUSE_TLS_CA", hide_env = true)]
    pub tls_ca: Option<PathBuf>,
    /// Output for screen readers: no color, symbols or spinner, and maps as sentences.
    #[arg(long, global = true, env = "HELIOPAUSE_PLAIN", hide_env = true)]
    pub plain: bool,
    /// When to use color and Unicode.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorChoice,
}
