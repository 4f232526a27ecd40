//! Checks the player page of each game.

use heliopause_games::games;
use heliopause_kernel::Game;

fn page<G: Game>() -> Option<String> {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::read_to_string(docs.join(format!("{}.md", G::ID))).ok()
}

#[test]
fn every_warning_code_is_documented_on_the_page_of_its_game() {
    let mut pages = 0;
    macro_rules! each {
        ($($arm:ident: $game:ty;)+) => {$(
            if let Some(page) = page::<$game>() {
                pages += 1;
                for code in <$game>::WARNINGS {
                    assert!(page.contains(&format!("| `{code}` |")), "{}: {code}", <$game>::ID);
                }
            }
        )+};
    }
    games!(each);
    assert!(pages >= 4);
}
