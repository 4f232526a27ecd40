//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::scenario;
use crate::commands::{
    account, admin, archive, away, chronicle, complete, lobby, look, master, notices, order,
    report, sandbox, talk, watch,
};
use crate::global::Global;
use crate::{adjudicate, conformance, play};

/// Play space strategy games on a Heliopause engine.
#[derive(Debug, Parser)]
#[command(
    name = "cli-client",
    version,
    arg_required_else_help = true,
    subcommand_required = true,
    after_help = EXAMPLES,
    after_long_help = EXAMPLES_AND_CODES
)]
pub struct Cli {
    #[command(flatten)]
    /// Options of every subcommand.
    pub global: Global,
    #[command(subcommand)]
    /// What to do.
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  cli-client play                        a menu: new game, resume, join
  cli-client play starships-at-large     straight into a game against automated opponents
  cli-client new starships-at-large --open 1 --ai strong
  cli-client watch GAME                  see what happens, as it happens

`cli-client help COMMAND` tells more; so does --help.";

const EXAMPLES_AND_CODES: &str = "\
Examples:
  cli-client play                        a menu: new game, resume, join
  cli-client play starships-at-large     straight into a game against automated opponents
  cli-client new starships-at-large --open 1 --ai strong
  cli-client watch GAME                  see what happens, as it happens
  cli-client options GAME --json | jq '.list[].notation'

Exit codes:
  0  it worked
  1  the engine refused, or something failed
  2  the command line was wrong
  3  no engine answered

Environment: HELIOPAUSE_ENGINE, HELIOPAUSE_PROFILE, HELIOPAUSE_TOKEN, HELIOPAUSE_TOKEN_FILE, HELIOPAUSE_TLS_CA,
HELIOPAUSE_CONFIG_DIR (where profiles are kept), HELIOPAUSE_ENGINE_BIN (for `scenario` and `adjudicate`), NO_COLOR.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play: the map, what happened, what is asked of you, numbered choices.
    Play(play::PlayArgs),
    /// Open the web page, signed in.
    Web(play::web::WebArgs),
    /// Open an account and keep its token in the profile.
    Register(account::RegisterArgs),
    /// Who you are on this engine.
    Whoami,
    /// What everybody may know of a player.
    Player(account::PlayerArgs),
    /// Your tokens: list, create, revoke, rotate.
    #[command(subcommand)]
    Tokens(account::TokensCommand),
    /// Players whose invitations you do not take: list, add, remove.
    #[command(subcommand)]
    Block(account::BlockCommand),
    /// The kinds of games, or one with its options.
    Kinds(lobby::KindsArgs),
    /// Make a new game.
    New(Box<lobby::NewArgs>),
    /// Your games, games with an open seat, or a search.
    Games(lobby::GamesArgs),
    /// Take a seat.
    Join(lobby::JoinArgs),
    /// Decline the seat that is kept for you in a game.
    Decline(lobby::GameArg),
    /// Give your seat up before the start.
    Leave(lobby::GameArg),
    /// Start a game that you made.
    Start(lobby::StartArgs),
    /// Reveal the entropy that you committed to with --entropy.
    Reveal(lobby::GameArg),
    /// A game: its seats, its pace, and what it waits for.
    Show(lobby::ShowArgs),
    /// Draw the map, in the terminal or as SVG.
    Map(look::MapArgs),
    /// The turn report, in the terminal or as a page with the map in it.
    Report(report::ReportArgs),
    /// The phases of a game so far, for `--phase` and `--turn`.
    Phases(look::PhasesArgs),
    /// All that you may know of a game, as text or with --json.
    View(look::ViewArgs),
    /// What you may order now, numbered.
    #[command(visible_alias = "choices")]
    Options(order::OptionsArgs),
    /// Judge orders without giving them.
    Validate(order::ValidateArgs),
    /// Give orders: as text, from a file, or by their numbers in `options`.
    Orders(order::OrdersArgs),
    /// Mark your orders as ready, so that the phase may close early.
    Ready(order::ReadyArgs),
    /// Take back all orders of the open phase, where they are kept until it closes.
    TakeBack(order::TakeBackArgs),
    /// Keep the phase open until its deadline, though all be ready.
    Wait(order::WaitArgs),
    /// Print events as they happen; goes on after a lost connection.
    Watch(watch::WatchArgs),
    /// Print notices of all your games as they happen; or have them sent: add, list, test, ...
    Notices(watch::NoticesArgs),
    /// Keep notices of a game from your channels.
    Mute(notices::MuteArgs),
    /// Let notices of a game through again.
    Unmute(lobby::GameArg),
    /// Send a message.
    Say(talk::SayArgs),
    /// Read your messages.
    Inbox(talk::InboxArgs),
    /// Votes: propose, cast, list.
    #[command(subcommand)]
    Vote(talk::VoteCommand),
    /// Take or end a vacation.
    Vacation(away::VacationArgs),
    /// Give your seat up for good.
    Resign(away::ResignArgs),
    /// Hand your seat to automation for a time, or take it back.
    Delegate(away::DelegateArgs),
    /// What happened so far.
    History(look::HistoryArgs),
    /// The game told as a story, in the terminal or as a page with a map and a slider.
    Chronicle(chronicle::ChronicleArgs),
    /// Write a game's journal to a file.
    Export(archive::ExportArgs),
    /// Prove a game: its hash chain and every roll.
    Verify(archive::VerifyArgs),
    /// Why a result came out so.
    Explain(look::ExplainArgs),
    /// The text of a rule, or the index of the rules.
    Rule(look::RuleArgs),
    /// Lead a game as its game master (or, in part, its host).
    #[command(subcommand)]
    Gm(master::MasterCommand),
    /// Operate the engine.
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Sandbox games: positions, scripted dice, the clock.
    #[command(subcommand)]
    Sandbox(sandbox::SandboxCommand),
    /// Run integration scenarios against a sandbox engine.
    Scenario(scenario::ScenarioArgs),
    /// Test a client of your own: whatever goes wrong, does it do what the contract asks?
    Conformance(conformance::ConformanceArgs),
    /// Send recorded cases of Diplomacy to an engine, and compare what comes out.
    Adjudicate(adjudicate::AdjudicateArgs),
    /// Print the completion script of a shell.
    Completions(complete::CompletionsArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_is_what_a_stranger_reads() {
        let mut command = Cli::command().term_width(100);
        insta::assert_snapshot!("help", command.render_long_help());
    }

    #[test]
    fn help_of_every_subcommand() {
        let mut command = Cli::command().term_width(100);
        command.build();
        for name in [
            "play",
            "new",
            "orders",
            "watch",
            "scenario",
            "conformance",
            "adjudicate",
            "gm",
            "sandbox",
        ] {
            let help = command
                .find_subcommand_mut(name)
                .map(|command| command.render_long_help().to_string());
            insta::assert_snapshot!(format!("help_{name}"), help.unwrap_or_default());
        }
    }
}
