//! Accepted and rejected text.

use heliopause_proto::text::{
    Flaw, FlawReason, Hidden, Profile, composed, looks, shown, shown_below,
};
use heliopause_testing::cases;
use proptest::prelude::*;

/// Characters that deceive a reader in any field.
const DECEIVERS: [char; 16] = [
    '\u{202e}',
    '\u{2066}',
    '\u{200b}',
    '\u{feff}',
    '\u{2028}',
    '\u{2029}',
    '\u{e0041}',
    '\u{61c}',
    '\u{200e}',
    '\u{ad}',
    '\u{34f}',
    '\u{3164}',
    '\u{1b}',
    '\u{9b}',
    '\u{7f}',
    '\u{0}',
];

fn refused(profile: Profile, text: &str) -> Flaw {
    profile.check(text).expect_err(text)
}

#[test]
fn names_in_all_languages_are_accepted() {
    for name in [
        "Béatrice",
        "Łukasz",
        "Ольга",
        "李",
        "Zoë",
        "O'Brien",
        "Jean-Luc",
        "J. R.",
        "x_1",
        "0x",
        "Σωκράτης",
        "שרה",
        "محمد",
        "さくら 李",
        "김민준",
        "प्रिया",
        "สมชาย",
        "Nguyễn Văn A",
        "l·l",
        "ßtraße",
        "Þór",
        "2 b",
    ] {
        assert_eq!(Profile::Name.check(name), Ok(()), "{name}");
        assert_eq!(Profile::Title.check(name), Ok(()), "{name}");
    }
}

#[test]
fn a_rejected_name_reports_the_invalid_character() {
    for (name, position, why) in [
        (" Ann", 1, FlawReason::InvalidStart),
        ("-Ann", 1, FlawReason::InvalidStart),
        ("\u{301}Ann", 1, FlawReason::InvalidStart),
        ("Ann ", 4, FlawReason::Space),
        ("Ann  Lee", 5, FlawReason::Space),
        ("Ann:", 4, FlawReason::NotInNames),
        ("Ann😀", 4, FlawReason::NotInNames),
        ("Ａnn", 1, FlawReason::NotInNames),
        ("𝐀nn", 1, FlawReason::NotInNames),
        ("ᚠ", 1, FlawReason::NotInNames),
        ("Аnn", 2, FlawReason::Mixed),
        ("Anп", 3, FlawReason::Mixed),
        ("Ann Ли", 5, FlawReason::Mixed),
        ("e\u{301}a", 1, FlawReason::NotComposed),
        ("x\u{301}\u{302}\u{303}\u{304}\u{306}", 6, FlawReason::Marks),
        ("An\u{200d}n", 3, FlawReason::Hidden(Hidden::Joins)),
        ("Ann\n", 4, FlawReason::Hidden(Hidden::Control)),
    ] {
        let flaw = refused(Profile::Name, name);
        assert_eq!((flaw.position, flaw.why), (position, why), "{name:?}");
    }
    let told = |name| refused(Profile::Name, name).to_string();
    assert_eq!(
        told("Аnn"),
        "character 2 is U+006E, which is from a different script than the characters before it: \
         they could look alike"
    );
    assert!(told("an n!!").starts_with("character 5 is \"!\", which"), "{}", told("an n!!"));
    assert!(told("Ann ").starts_with("character 4 is a space, but"), "{}", told("Ann "));
    assert!(told("-Ann").starts_with("character 1 is \"-\", but"), "{}", told("-Ann"));
}

#[test]
fn titles_allow_visible_characters_but_no_mixed_scripts() {
    for title in [
        "Tuesday (quick): 1-2/3!",
        "Война и мир / War and Peace",
        "my bot 🤖",
        "👩‍🚀 and 👨‍👩‍👧",
        "1️⃣ game",
        "½ price",
        "«été»",
    ] {
        assert_eq!(Profile::Title.check(title), Ok(()), "{title}");
    }
    assert_eq!(refused(Profile::Title, "the pаss").why, FlawReason::Mixed);
    assert_eq!(refused(Profile::Title, "𝕿he end").why, FlawReason::NotInNames);
    assert_eq!(refused(Profile::Title, "e\u{301}te").why, FlawReason::NotComposed);
    assert_eq!(refused(Profile::Title, "two\nlines").why, FlawReason::Hidden(Hidden::Control));
}

#[test]
fn no_profile_allows_hidden_characters() {
    for profile in [Profile::Line, Profile::Lines, Profile::Title, Profile::Name] {
        for deceiver in DECEIVERS {
            let flaw = refused(profile, &format!("ab{deceiver}c"));
            assert_eq!((flaw.position, flaw.character), (3, deceiver), "{profile:?} {deceiver:?}");
            assert!(matches!(flaw.why, FlawReason::Hidden(_)), "{flaw}");
        }
    }
    let told = refused(Profile::Line, "ab\u{202e}c").to_string();
    assert_eq!(told, "character 3 is U+202E, which changes the order in which text is shown");
}

#[test]
fn line_breaks_are_allowed_only_in_lines() {
    let lines = "Peace?\n\tUntil round 8.\r\nYours, Ann\n";
    assert_eq!(Profile::Lines.check(lines), Ok(()));
    assert_eq!(refused(Profile::Line, lines).position, 7);
    assert_eq!(refused(Profile::Lines, "a\rb").why, FlawReason::Hidden(Hidden::Control));
}

#[test]
fn joiners_and_selectors_are_allowed_only_with_meaning() {
    for text in ["می‌خواهم", "ශ්‍රී", "👩‍🚀", "❤️", "☎︎", "👩🏽‍🚀", "🏳️‍🌈", "3️⃣"]
    {
        assert_eq!(Profile::Line.check(text), Ok(()), "{text}");
    }
    for text in [
        "a\u{200c}b",
        "a\u{200d}b",
        "می\u{200c}",
        "\u{200d}👩",
        "👩\u{200d}",
        "👩\u{200c}🚀",
        "a\u{fe0f}",
        "3\u{fe0f}",
        "葛\u{e0100}",
        "👩\u{fe01}",
    ] {
        let why = refused(Profile::Line, text).why;
        assert!(
            matches!(why, FlawReason::Hidden(Hidden::Joins | Hidden::Varies)),
            "{text:?}: {why:?}"
        );
    }
}

#[test]
fn names_that_look_the_same_have_the_same_looks() {
    for (one, other) in [
        ("ann", "ANN"),
        ("paypal", "PayPaI"),
        ("сосо", "coco"),
        ("АННА", "AHHA"),
        ("Bob1", "Bobl"),
        ("O'Brien", "O’Brien"),
        ("modern", "modem"),
        ("0scar", "Oscar"),
        ("é", "e\u{301}"),
    ] {
        assert_eq!(looks(one), looks(other), "{one} {other}");
    }
    for (one, other) in
        [("Ann", "Anna"), ("Béatrice", "Beatrice"), ("Łukasz", "Lukasz"), ("李", "季")]
    {
        assert_ne!(looks(one), looks(other), "{one} {other}");
    }
}

#[test]
fn shown_text_reveals_hidden_characters() {
    assert_eq!(shown("a\u{1b}[2J\u{202e}b\nc\td"), "a<U+001B>[2J<U+202E>b<U+000A>c d");
    assert_eq!(shown("Béatrice 👩‍🚀"), "Béatrice 👩‍🚀");
    assert_eq!(
        shown_below("Peace?\r\n2: War!\nAnn writes: yes\n\n", 4),
        "Peace?\n    2: War!\n    Ann writes: yes"
    );
    assert_eq!(shown_below("a\u{2028}b\rc", 0), "a<U+2028>b<U+000D>c");
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn shown_text_contains_nothing_hidden(text in ".*") {
        prop_assert_eq!(Profile::Line.check(&shown(&text)), Ok(()));
        for line in shown_below(&text, 2).split('\n').skip(1) {
            prop_assert!(line.starts_with("  "), "{:?}", line);
        }
    }

    #[test]
    fn a_rejected_text_reports_one_of_its_characters(text in "[ \
        -~é\u{301}аяऄ李😀\u{200b}-\u{2069}\u{fe0f}\n]{0,12}") {
        for profile in [Profile::Line, Profile::Lines, Profile::Title, Profile::Name] {
            if let Err(flaw) = profile.check(&text) {
                prop_assert_eq!(text.chars().nth(flaw.position - 1), Some(flaw.character));
            }
        }
    }

    #[test]
    fn accepted_names_have_a_single_form(name in "\\PC{1,12}") {
        if Profile::Name.check(&name).is_ok() {
            prop_assert_eq!(&composed(&name), &name);
            prop_assert_eq!(looks(&name.to_uppercase().to_lowercase()).is_empty(), false);
        }
    }
}
