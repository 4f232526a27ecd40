//! The nearest of the names that there are, for somebody who mistyped one.

use strsim::damerau_levenshtein;

/// `; did you mean x`, or nothing if no name is near.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |name| format!("; did you mean `{name}`"))
}

/// The name that is nearest to a word, if one is near enough to be meant.
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
    fn what_is_near_is_meant() {
        assert_eq!(nearest("prises", ["prices", "round"]), Some("prices"));
        assert_eq!(nearest("turn_ended", ["turnEnded"]), Some("turnEnded"));
        assert_eq!(nearest("xyz", ["prices", "round"]), None);
        assert_eq!(did_you_mean("rounnd", ["round"]), "; did you mean `round`");
    }
}
