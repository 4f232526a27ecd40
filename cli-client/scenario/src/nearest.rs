//! Suggestions for mistyped names.

use strsim::damerau_levenshtein;

/// Returns `. Did you mean x?`, or a full stop if no name is near.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(|| ".".into(), |name| format!(". Did you mean `{name}`?"))
}

/// Returns `. Did you mean x?`, or a sentence that lists the known names if no name is near.
pub fn suggestion_or_list(word: &str, known: &[&str], plural: &str) -> String {
    match did_you_mean(word, known.iter().copied()) {
        stop if stop == "." && !known.is_empty() => {
            format!(". The {plural} are {}.", known.join(", "))
        }
        hint => hint,
    }
}

/// Returns the known name that is nearest to a word, or `None` if all names differ in more than a
/// third of the letters.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let wanted = plain(word);
    let far = (wanted.chars().count() / 3).max(1);
    let scored = known.into_iter().map(|name| (damerau_levenshtein(&wanted, &plain(name)), name));
    scored
        .filter(|(distance, _)| *distance <= far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        assert_eq!(nearest("prises", ["prices", "round"]), Some("prices"));
        assert_eq!(nearest("turn_ended", ["turnEnded"]), Some("turnEnded"));
        assert_eq!(nearest("xyz", ["prices", "round"]), None);
        assert_eq!(did_you_mean("rounnd", ["round"]), ". Did you mean `round`?");
        let listed = suggestion_or_list("xyz", &["prices", "round"], "names");
        assert_eq!(listed, ". The names are prices, round.");
    }
}
