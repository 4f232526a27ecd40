//! The command line with its subcommands.

use clap::{Parser, Subcommand};

use crate::commands::scenario;
use crate::commands::{
    absence, account, admin, analyze, archive, chat, chronicle, complete, lobby, look, master,
    notices, order, profile, quick_play, report, sandbox, sign_in, talk, tournament, watch,
};
use crate::global::Global;
use crate::table::Table;
use crate::{conformance, play};

/// Play space strategy games on a Heliopause engine.
#[derive(Debug, Parser)]
#[command(
    name = "cli-client",
    version,
    arg_required_else_help = true,
    subcommand_required = true,
    after_help = include_str!("help/program.txt"),
    after_long_help = include_str!("help/program_long.txt")
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play in the terminal, with a map and numbered choices.
    Play(play::PlayArgs),
    /// Teach a game step by step, with a tutorial for each kind.
    #[command(visible_alias = "tutorial")]
    Learn(play::tutorial::LearnArgs),
    /// Open the web page, signed in.
    Web(play::web::WebArgs),
    /// Create an account and save its token in the profile.
    Register(account::RegisterArgs),
    /// Sign in by email, with a code from the page, or with a recovery code.
    SignIn(sign_in::SignInArgs),
    /// Revoke your token and remove it from the profile.
    SignOut(sign_in::SignOutArgs),
    /// Show your account on this engine.
    Whoami,
    /// Show an account's role, dedication and id.
    Player(account::PlayerArgs),
    /// Show results and ratings: yours, or those of another player.
    Profile(profile::ProfileArgs),
    /// List the best players and levels of automation in a kind of game.
    Leaderboard(profile::LeaderboardArgs),
    /// Enter, host and watch tournaments, and list the ladder of bots.
    #[command(subcommand)]
    Tournament(tournament::TournamentCommand),
    /// Manage your name, ways to sign in, privacy and data.
    #[command(subcommand)]
    Account(profile::AccountCommand),
    /// List, create, revoke or rotate your tokens.
    #[command(subcommand)]
    Tokens(account::TokensCommand),
    /// List, add or remove players whose invitations you reject.
    #[command(subcommand)]
    Block(account::BlockCommand),
    /// List the kinds of games, or show one with its options.
    Kinds(lobby::KindsArgs),
    /// Create a game.
    New(Box<lobby::NewArgs>),
    /// Find opponents who are waiting now, and start a game.
    #[command(visible_alias = "quick")]
    QuickPlay(quick_play::QuickPlayArgs),
    /// Ask the players of a finished game for a rematch, or accept theirs. Seats rotate.
    Rematch(lobby::GameArg),
    /// List your games or games with an open seat, or search.
    Games(lobby::GamesArgs),
    /// Take a seat in a game.
    Join(lobby::JoinArgs),
    /// Decline the seat that is reserved for you in a game.
    Decline(lobby::GameArg),
    /// Leave your seat before the game starts.
    Leave(lobby::GameArg),
    /// Start a game that you created.
    Start(lobby::StartArgs),
    /// Reveal the entropy that you committed to with --entropy.
    Reveal(lobby::GameArg),
    /// Show a game: its seats, its pace, and what it is waiting for.
    Show(lobby::ShowArgs),
    /// Draw the map, in the terminal or as SVG.
    Map(look::MapArgs),
    /// Show the turn report, in the terminal or as a page with the map.
    Report(report::ReportArgs),
    /// List the phases of a game so far, for `--phase` and `--turn`.
    Phases(lobby::GameArg),
    /// Show everything visible to you in a game, as text or with --json.
    View(look::ViewArgs),
    /// List the orders that you can give now, with numbers.
    #[command(visible_alias = "choices")]
    Options(order::OptionsArgs),
    /// Check orders without submitting them.
    Validate(order::ValidateArgs),
    /// Submit orders: as text, from a file, or by their numbers in `options`.
    Orders(order::OrdersArgs),
    /// Mark your orders as ready so that the phase can close early.
    Ready(order::ReadyArgs),
    /// Withdraw all orders of the open phase, in games that keep orders until it closes.
    TakeBack(Table),
    /// Keep the phase open until its deadline, even if all seats are ready.
    Wait(order::WaitArgs),
    /// Print events as they happen, and reconnect when the connection is lost.
    Watch(watch::WatchArgs),
    /// Print notices of all your games as they happen, or manage channels: add, list, test, ...
    Notices(watch::NoticesArgs),
    /// Stop notices of a game on your channels.
    Mute(notices::MuteArgs),
    /// Resume notices of a game on your channels.
    Unmute(lobby::GameArg),
    /// Talk at your table or with other spectators, mute players, report abuse.
    #[command(subcommand)]
    Chat(chat::ChatCommand),
    /// Send a message.
    Say(talk::SayArgs),
    /// Read your messages.
    Inbox(Table),
    /// Propose, cast or list votes.
    #[command(subcommand)]
    Vote(talk::VoteCommand),
    /// Start or end a vacation.
    Vacation(absence::VacationArgs),
    /// Resign your seat permanently.
    Resign(absence::ResignArgs),
    /// Delegate your seat to automation for a time, or take it back.
    Delegate(absence::DelegateArgs),
    /// Show the events of a game so far.
    History(look::HistoryArgs),
    /// Show a game as a story, in the terminal or as a page with a map and a slider.
    Chronicle(chronicle::ChronicleArgs),
    /// Write a game's journal to a file.
    Export(archive::ExportArgs),
    /// Verify the hash chain and every roll of a game.
    Verify(archive::VerifyArgs),
    /// Explain the cause of a result.
    Explain(look::ExplainArgs),
    /// Try what could happen in a branch of a game, or list, rename or delete branches.
    Analyze(analyze::AnalyzeArgs),
    /// Print a rule, or the index of the rules.
    Rule(look::RuleArgs),
    /// Manage a game as its game master or host.
    #[command(subcommand)]
    Gm(master::MasterCommand),
    /// Operate the engine.
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Manage sandbox games: positions, scripted dice, the clock.
    #[command(subcommand)]
    Sandbox(sandbox::SandboxCommand),
    /// Run integration scenarios against a sandbox engine.
    Scenario(scenario::ScenarioArgs),
    /// Test your own client against network and engine faults.
    Conformance(conformance::ConformanceArgs),
    /// Print a shell completion script.
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
    fn help_of_the_program() {
        let mut command = Cli::command().term_width(100);
        insta::assert_snapshot!("help", command.render_long_help());
    }

    #[test]
    fn help_of_every_subcommand() {
        let mut command = Cli::command().term_width(100);
        command.build();
        for name in ["play", "new", "orders", "watch", "scenario", "conformance", "gm", "sandbox"] {
            let help = command
                .find_subcommand_mut(name)
                .map(|command| command.render_long_help().to_string());
            insta::assert_snapshot!(format!("help_{name}"), help.unwrap_or_default());
        }
    }
}
