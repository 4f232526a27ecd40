use std::collections::BTreeSet;

use super::*;

fn rng() -> impl FnMut() -> u64 {
    let mut state = 7_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 29
    }
}

fn everything() -> Offers<u8> {
    let mut draft = Draft::new();
    draft.group("Fleet");
    let ships = [draft.value("A1", "Argo"), draft.value("A2", "Beagle"), draft.value("A12", "")];
    let ships = draft.list(ships);
    let places = [draft.value("(0,0)", "Earth"), draft.value("(1,0)", "")];
    let to = draft.place("to", "where to", places);
    let fast = draft.value("fast", "at full speed");
    let how = draft.word("how", "how", [fast]).within(" how {}", ", {}").optional();
    let pieces = Picks { list: ships, least: 1, most: 3, separator: " ".into() };
    let share = |text: &'static str, most, cost| Share {
        text: text.into(),
        label: text.into(),
        most,
        cost,
        ..Share::default()
    };
    let shares = Shares {
        shares: vec![share("{} scouts", 9, 2), share("{} forts", 3, 5)],
        least: 0,
        most: 12,
        separator: "; ".into(),
        zeros: false,
    };
    let taken = draft.value("abba", "");
    let free = FreeText {
        least: 2,
        most: 4,
        alphabet: "ab".into(),
        initials: "a".into(),
        lines: 1,
        taken: Some(draft.list([taken])),
        example: "aa".into(),
    };
    draft
        .offer(
            "go",
            "go {ships} to {to}{how} x{count}{buy} as {name}",
            "{ships} go to {to}{how}",
            "1",
        )
        .slot(Slot::new("ships", "which", Kind::Pieces(pieces)))
        .slot(to)
        .slot(how)
        .slot(Slot::new("count", "how often", Kind::Number(Range { step: 3, ..Range::of(-2..=7) })))
        .slot(
            Slot::new("buy", "what", Kind::Shares(shares))
                .within(" with {}", " with {}")
                .optional(),
        )
        .slot(Slot::new("name", "its name", Kind::Free(free)));
    draft.offer("end", "end", "End the turn", "2").weighs(Weight::End).is(7);
    draft.complete()
}

fn values(numbers: &[u32]) -> Chosen {
    Chosen::Values(numbers.iter().map(|number| ValueId(*number)).collect())
}

fn text(text: &str) -> Chosen {
    Chosen::Text(text.to_owned())
}

#[test]
fn a_filled_offer_is_an_order_and_a_sentence() {
    let offers = everything();
    assert_eq!(offers.check(), Ok(()));
    let go = &offers.list[0];
    let full = [
        values(&[1, 0]),
        values(&[3]),
        values(&[5]),
        Chosen::Number(4),
        Chosen::Numbers(vec![1, 2]),
        text("ab"),
    ];
    assert_eq!(
        offers.fill(go, &full).unwrap(),
        "go A2 A1 to (0,0) how fast x4 with 1 scouts; 2 forts as ab"
    );
    assert_eq!(offers.say(go, &full).unwrap(), "Beagle, Argo go to Earth, at full speed");
    let least = [
        values(&[2]),
        values(&[4]),
        Chosen::Empty,
        Chosen::Number(-2),
        Chosen::Empty,
        text("aaaa"),
    ];
    assert_eq!(offers.fill(go, &least).unwrap(), "go A12 to (1,0) x-2 as aaaa");
    assert_eq!(offers.fill(&offers.list[1], &[]).unwrap(), "end");
}

#[test]
fn invalid_choices_are_rejected_by_slot() {
    let offers = everything();
    let good =
        [values(&[0]), values(&[3]), Chosen::Empty, Chosen::Number(1), Chosen::Empty, text("ab")];
    let with = |index: usize, chosen: Chosen| {
        let mut all = good.clone();
        all[index] = chosen;
        offers.fill(&offers.list[0], &all).map_err(|misfit| misfit.slot)
    };
    for (index, wrong) in [
        (0, values(&[])),
        (0, values(&[0, 0])),
        (0, values(&[3])),
        (0, values(&[0, 1, 2, 3])),
        (0, Chosen::Empty),
        (0, Chosen::Number(1)),
        (1, values(&[3, 4])),
        (3, Chosen::Number(0)),
        (3, Chosen::Number(10)),
        (3, Chosen::Number(-5)),
        (4, Chosen::Numbers(vec![1])),
        (4, Chosen::Numbers(vec![0, 0])),
        (4, Chosen::Numbers(vec![4, 1])),
        (4, Chosen::Numbers(vec![-1, 1])),
        (5, text("a")),
        (5, text("aaaaa")),
        (5, text("ba")),
        (5, text("ac")),
        (5, text("ABBA")),
        (5, text("abba")),
    ] {
        let name = ["ships", "to", "how", "count", "buy", "name"][index];
        assert_eq!(with(index, wrong.clone()), Err(name.to_owned()), "{wrong:?}");
    }
    assert!(offers.fill(&offers.list[0], &good[..3]).is_err(), "all slots are filled");
}

#[test]
fn random_fillings_are_valid_and_recognized() {
    let offers = everything();
    let mut rng = rng();
    let mut lines = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for _ in 0..2_000 {
        let chosen = offers.at_random(&offers.list[0], &mut rng);
        let line = offers
            .fill(&offers.list[0], &chosen)
            .unwrap_or_else(|fault| panic!("{chosen:?}: {fault}"));
        let read = offers.choices_in(&offers.list[0], &line).expect(&line);
        assert_eq!(offers.fill(&offers.list[0], &read).as_ref(), Ok(&line), "{read:?}");
        lines.insert(line);
        texts.extend(match &chosen[5] {
            Chosen::Text(text) => Some(text.clone()),
            _ => None,
        });
    }
    // Two to four letters a and b that begin with a, except "abba".
    assert_eq!(texts.len(), 2 + 4 + 8 - 1, "{texts:?}");
    assert!(lines.len() > 1_000, "{}", lines.len());
    for all in ["A12 A1 A2 to", "x7", "6 scouts", "2 forts", "how fast"] {
        assert!(lines.iter().any(|line| line.contains(all)), "{all}");
    }
}

#[test]
fn orders_that_match_no_filling_are_not_recognized() {
    let offers = everything();
    let makes = |line: &str| offers.that_makes(line).is_some();
    assert!(makes("go A1 to (0,0) x1 as aa") && makes("end"));
    for wrong in [
        "go A1 A1 to (0,0) x1 as aa",
        "go A3 to (0,0) x1 as aa",
        "go A1 to (0,0) x2 as aa",
        "go A1 to (0,0) x01 as aa",
        "go A1 to (0,0) x1 with 7 scouts as aa",
        "go A1 to (0,0) x1 with 0 scouts as aa",
        "go A1 to (0,0) x1 with 2 forts; 1 scouts as aa",
        "go A1 to (0,0) x1 with  as aa",
        "go A1 to (0,0) x1 as abba",
        "go A1 to (0,0) x1 as aab ",
        "end turn",
        "",
    ] {
        assert!(!makes(wrong), "{wrong}");
    }
}

#[test]
fn orders_out_of_bounds_are_not_recognized() {
    let mut offers = with_sum(0, 40, false);
    let Kind::Pieces(picks) = &mut offers.list[0].slots[0].kind else { panic!("ships") };
    picks.most = 2;
    let makes = |line: &str| offers.that_makes(line).is_some();
    assert!(makes("go A1 A2 to (0,0) x1 with 9 scouts; 3 forts as aa"));
    assert!(!makes("go A1 A2 A12 to (0,0) x1 as aa"));
    assert!(!makes("go A1 to (0,0) x1 with 10 scouts as aa"));
}

#[test]
fn ways_are_counted_if_they_are_enumerated() {
    let mut draft = Draft::<u8>::new();
    let places = [draft.value("P", ""), draft.value("Q", ""), draft.value("R", "")];
    let to = draft.place("to", "where to", places);
    let fast = draft.value("fast", "");
    let how = draft.word("how", "how", [fast]).within(" {}", " {}").optional();
    let count = Slot::new("count", "how many", Kind::Number(Range { step: 5, ..Range::of(1..=8) }));
    draft.offer("go", "go {count} {to}{how}", "", "").slot(count).slot(to).slot(how);
    let offers = draft.incomplete();
    assert_eq!(offers.ways(&offers.list[0]), Some(12));
    let lines: Vec<String> = offers.lines(12).collect();
    assert_eq!(lines[..3], ["go 1 P", "go 1 P fast", "go 1 Q"]);
    assert_eq!((lines.len(), lines[11].as_str()), (12, "go 6 R fast"));
    assert_eq!(offers.way(&offers.list[0], 12), None);
    assert_eq!(offers.lines(11).count(), 0);
    let everything = everything();
    assert_eq!(everything.ways(&everything.list[0]), None);
}

#[test]
fn repeated_values_are_stored_once() {
    let mut draft = Draft::<u8>::new();
    let (one, two) = (draft.value("P", "Paris"), draft.value("P", "Paris"));
    assert_eq!((one, draft.list([one])), (two, draft.list([two])));
    assert_ne!(draft.value("P", ""), one);
    assert_eq!(draft.value("Q", "Q"), draft.value("Q", ""));
    draft.group("A");
    draft.group("B");
    draft.group("A");
    draft.offer("do-x", "x", "", "").is(1);
    let offers = draft.complete();
    assert_eq!((offers.groups.len(), offers.heading(&offers.list[0])), (2, "A"));
    assert_eq!(offers.list[0].title, "Do x");
}

#[test]
fn inconsistent_offers_are_detected() {
    let broken = |change: fn(&mut Offers<u8>)| {
        let mut offers = everything();
        change(&mut offers);
        offers.check().is_err()
    };
    assert!(!broken(|_| ()));
    assert!(broken(|offers| offers.groups.clear()));
    assert!(broken(|offers| offers.lists.clear()));
    assert!(broken(|offers| offers.lists[0].extend_from_within(..1)));
    assert!(broken(|offers| offers.values.truncate(2)));
    assert!(broken(|offers| offers.list[0].order = Some(1)));
    assert!(broken(|offers| offers.list[1].order = None));
    assert!(broken(|offers| drop(offers.list[0].slots.pop())));
    assert!(broken(|offers| offers.list[0].notation = "go {ships} {ships}".into()));
    assert!(broken(|offers| offers.list[0].label = "{who}".into()));
    assert!(broken(|offers| offers.list[1].places.push(ValueId(99))));
    assert!(broken(|offers| offers.list[0].slots[2].text = "how".into()));
    assert!(broken(|offers| offers.list[0].slots[0].kind =
        Kind::Pieces(Picks { most: 9, ..Picks::one(ListId(0)) })));
    assert!(broken(|offers| offers.list[0].slots[0].kind =
        Kind::Pieces(Picks { least: 0, ..Picks::one(ListId(0)) })));
    assert!(broken(|offers| offers.list[0].slots[0].kind =
        Kind::Pieces(Picks { least: 2, ..Picks::one(ListId(0)) })));
    assert!(broken(
        |offers| offers.list[0].slots[3].kind = Kind::Number(Range { step: 0, ..Range::of(1..=2) })
    ));
}

/// Returns an offer to build classes of ships on a world with 12 RU, and one to pay RU.
fn shop() -> Offers<u8> {
    let mut draft = Draft::<u8>::new();
    let stock = |name: &str, amount| Stock::new(name, amount, "RU");
    let [sol, vega] = [("Sol", 12), ("Vega", 5)].map(|(name, amount)| {
        let stock = Some(draft.stock(stock(name, amount)));
        draft.add(Value { stock, ..Value::new(name, "") })
    });
    let class = |text, price, size| Value {
        price: Some(Amount::new(price, "RU")),
        size: Some(Amount::new(size, "t")),
        ..Value::new(text, "")
    };
    let classes = [draft.add(class("carrier", 10, 15)), draft.add(class("fighter", 1, 1))];
    let class = draft.word("class", "class", classes);
    let worlds = draft.list([sol, vega]);
    let worlds = Kind::Places(Picks { most: 2, separator: " ".into(), ..Picks::one(worlds) });
    let worlds = Slot::new("worlds", "world", worlds);
    let count = Range { multiplies: true, ..Range::of(1..=9) };
    let count = Slot::new("count", "how many", Kind::Number(count));
    draft.offer("build", "{worlds} {count} {class}", "", "").slot(worlds).slot(count).slot(class);
    let number = Range { cost: 2, ..Range::of(1..=3) };
    let number = Slot::new("number", "how much", Kind::Number(number));
    let pool = draft.stock(stock("Sol", 12));
    draft.offer("pay", "pay {number}", "", "").slot(number).paid_by(pool, 4);
    draft.complete()
}

#[test]
fn a_cost_counts_prices_numbers_and_shares() {
    let offers = shop();
    assert_eq!((offers.check(), offers.stocks.len()), (Ok(()), 2), "equal stocks are one");
    let [build, pay] = &offers.list[..] else { panic!("two offers") };
    let amounts = |offer, chosen: &[Chosen]| {
        let cost = offers.cost(offer, chosen)?;
        Some((cost.amount, cost.available, cost.stocks.len()))
    };
    let number = Chosen::Number;
    assert_eq!(amounts(build, &[values(&[0]), number(3), values(&[2])]), Some((30, 12, 1)));
    assert_eq!(amounts(build, &[values(&[0, 1]), number(3), values(&[3])]), Some((3, 17, 2)));
    assert_eq!(amounts(build, &[values(&[0]), number(3), Chosen::Empty]), Some((0, 12, 1)));
    assert_eq!(amounts(build, &[Chosen::Empty, number(3), values(&[3])]), None, "nobody pays");
    assert_eq!(amounts(pay, &[number(3)]), Some((10, 12, 1)));
    let cost = |order| offers.cost_of(order).map(|cost| cost.amount);
    assert_eq!(
        [cost("pay 3"), cost("Sol Vega 3 fighter"), cost("pay 4")],
        [Some(10), Some(3), None]
    );
    let mut unpriced = offers.clone();
    unpriced.list[1].price = 0;
    assert_eq!(unpriced.cost_of("pay 3").map(|cost| cost.amount), Some(6));
    let mut shares = everything();
    let chosen = [(); 4].map(|()| Chosen::Empty).into_iter().chain([Chosen::Numbers(vec![1, 2])]);
    let chosen: Vec<Chosen> = chosen.collect();
    assert_eq!(shares.cost(&shares.list[0], &chosen), None, "no stock pays");
    shares.stocks.push(Stock::new("Sol", 12, "RU"));
    shares.list[0].stock = Some(StockId(0));
    assert_eq!(shares.cost(&shares.list[0], &chosen).map(|cost| cost.amount), Some(12));
    let Kind::Shares(free) = &mut shares.list[0].slots[4].kind else { panic!("shares") };
    free.shares.iter_mut().for_each(|share| share.cost = 0);
    assert_eq!(shares.cost(&shares.list[0], &chosen), None, "they cost nothing");
    shares.list[1].stock = Some(StockId(0));
    assert_eq!(shares.cost(&shares.list[1], &[]), None, "it has no price");
    shares.list[1].price = 3;
    assert_eq!(shares.cost(&shares.list[1], &[]).map(|cost| cost.amount), Some(3));
}

#[test]
fn the_facts_of_a_value_are_its_amounts_and_its_note() {
    let mut offers = shop();
    offers.values[3].note = "new".to_owned();
    let facts: Vec<String> = offers.values.iter().map(|value| offers.facts(value)).collect();
    assert_eq!(facts, ["12 RU available", "5 RU available", "10 RU, 15 t", "1 RU, 1 t, new"]);
}

#[test]
fn inconsistent_prices_are_detected() {
    let fault = |change: fn(&mut Offers<u8>)| {
        let mut offers = shop();
        change(&mut offers);
        offers.check().unwrap_err()
    };
    let no_stock = "a price has no stock that pays it";
    assert!(fault(|offers| offers.list[1].stock = None).ends_with(no_stock));
    assert!(fault(|offers| offers.list[1].stock = Some(StockId(7))).contains("stock 7 does not"));
    assert!(fault(|offers| offers.values[0].stock = Some(StockId(7))).contains("stock 7 does not"));
    let unpaid = |offers: &mut Offers<u8>| {
        offers.values.iter_mut().for_each(|value| value.stock = None);
    };
    assert!(fault(unpaid).ends_with(no_stock));
    let units = |unit: &'static str| {
        let mut offers = shop();
        offers.values[2].price = Some(Amount::new(10, unit));
        offers.check().unwrap_err()
    };
    assert!(units("t").ends_with(r#"must have one unit, found {"RU", "t"}"#));
    assert!(units("").contains("must have one unit"));
}

#[test]
fn slots_without_a_valid_content_are_detected() {
    type Change = fn(&mut Offers<u8>);
    fn shares(offers: &mut Offers<u8>) -> &mut Shares {
        let Kind::Shares(shares) = &mut offers.list[0].slots[4].kind else { panic!("shares") };
        shares
    }
    fn free(offers: &mut Offers<u8>) -> &mut FreeText {
        let Kind::Free(free) = &mut offers.list[0].slots[5].kind else { panic!("a text") };
        free
    }
    let checked = |change: Change| {
        let mut offers = everything();
        change(&mut offers);
        offers.check()
    };
    let good: [Change; 4] = [
        |offers| (shares(offers).least, shares(offers).most) = (33, 40),
        |offers| (shares(offers).shares[0].least, shares(offers).most) = (6, 12),
        |offers| shares(offers).shares[1].most = 0,
        |offers| (free(offers).least, free(offers).most) = (1, 1),
    ];
    for change in good {
        assert_eq!(checked(change), Ok(()));
    }
    let bad: [(Change, &str); 7] = [
        (|offers| shares(offers).shares.clear(), "no numbers"),
        (|offers| shares(offers).shares[1].most = -1, "cannot range"),
        (|offers| shares(offers).shares[1].least = -1, "cannot range"),
        (|offers| (shares(offers).least, shares(offers).most) = (34, 40), "can never be"),
        (|offers| shares(offers).shares[0].least = 7, "can never be"),
        (|offers| free(offers).least = 0, "allow no text"),
        (|offers| free(offers).most = 1, "allow no text"),
    ];
    for (change, why) in bad {
        assert!(checked(change).is_err_and(|text| text.contains(why)), "{why}");
    }
    assert!(checked(|offers| free(offers).lines = 0).is_err());
}

#[test]
fn a_share_with_a_minimum_is_always_written() {
    let mut offers = everything();
    let Kind::Shares(shares) = &mut offers.list[0].slots[4].kind else { panic!("shares") };
    shares.shares[0].least = 1;
    let makes = |line: &str| offers.that_makes(line).is_some();
    assert!(makes("go A1 to (0,0) x1 with 1 scouts; 2 forts as aa"));
    assert!(!makes("go A1 to (0,0) x1 with 2 forts as aa"), "without a scout");
}

#[test]
fn completeness_of_offers_and_emptiness_of_ranges() {
    assert!(everything().complete);
    assert!(!Draft::<u8>::new().incomplete().complete);
    let of = |least, most| Range { least, most, ..Range::of(0..=0) }.is_empty();
    assert_eq!((of(1, 2), of(1, 1), of(2, 1)), (false, false, true));
}

#[test]
fn a_share_is_named_by_its_label_or_its_text() {
    let share = |text: &'static str, label: &'static str| Share {
        text: text.into(),
        label: label.into(),
        most: 9,
        ..Share::default()
    };
    assert_eq!(share("{} sc", "scouts").name(), "scouts");
    assert_eq!(share("{} scouts", "").name(), "scouts");
    let pairs = |singular: &'static str| Share {
        phrase: "{} pairs of scouts".into(),
        singular: singular.into(),
        ..share("{} scout-pairs", "")
    };
    assert_eq!(pairs("").name(), "pairs of scouts");
    let shares = vec![pairs("a pair of scouts"), pairs(""), share("{} sc", "")];
    let shares = Shares { shares, least: 0, most: 9, separator: "; ".into(), zeros: false };
    let mut draft = Draft::<u8>::new();
    draft.offer("buy", "buy {what}", "Buy {what}", "").slot(Slot::new(
        "what",
        "what",
        Kind::Shares(shares),
    ));
    let offers = draft.complete();
    let chosen = |numbers: [i32; 3]| [Chosen::Numbers(numbers.into())];
    let said = |numbers| offers.say(&offers.list[0], &chosen(numbers)).unwrap();
    assert_eq!(said([1, 1, 2]), "Buy a pair of scouts, 1 pairs of scouts, 2 sc");
    assert_eq!(said([3, 0, 0]), "Buy 3 pairs of scouts");
    let filled = offers.fill(&offers.list[0], &chosen([1, 0, 1]));
    assert_eq!(filled.unwrap(), "buy 1 scout-pairs; 1 sc");
}

#[test]
fn a_divided_cost_is_rounded_up_and_at_least_1() {
    let shares = |costs| {
        let shares = vec![Share { least: 1, most: 3, costs, ..Share::default() }];
        let shares = Shares { shares, least: 0, most: 0, separator: " ".into(), zeros: true };
        let mut draft = Draft::<u8>::new();
        let pool = draft.stock(Stock::new("Sol", 9, "RU"));
        draft
            .offer("design", "design {ratings}", "", "")
            .slot(Slot::new("ratings", "ratings", Kind::Shares(shares)))
            .paid_by(pool, 5)
            .divided_by(2);
        draft.complete()
    };
    let offers = shares(vec![-9, 1, 2]);
    assert_eq!(offers.check(), Ok(()));
    let cost = |number| {
        offers.cost(&offers.list[0], &[Chosen::Numbers(vec![number])]).map(|cost| cost.amount)
    };
    assert_eq!([cost(1), cost(2), cost(3)], [Some(1), Some(3), Some(4)]);
    let fault = shares(vec![0; 2]).check().unwrap_err();
    assert!(fault.contains("have 2 costs"), "{fault}");
}

#[test]
fn map_changes_only_the_orders() {
    let offers = everything();
    let written = offers.clone().map(|order| order.to_string());
    assert_eq!(written.list[1].order.as_deref(), Some("7"));
    let back = written.map(|order| order.parse::<u8>().unwrap());
    assert_eq!(back, offers);
    assert!(back.complete && back.heading(&back.list[0]) == "Fleet");
}

#[test]
fn the_fullest_filling_uses_the_largest_values() {
    let offers = everything();
    let mut rng = rng();
    for _ in 0..200 {
        let fullest = offers.fullest(&offers.list[0], &mut rng);
        let line = offers.fill(&offers.list[0], &fullest).unwrap();
        let all = ["A1", "A2", "A12", " how fast ", " x7 "];
        assert!(all.iter().all(|part| line.contains(part)), "{line}");
        let Chosen::Numbers(numbers) = &fullest[4] else { panic!("{line}: nothing is bought") };
        // Another scout at 2 or fort at 5 would exceed the sum.
        assert!((11..=12).contains(&(2 * numbers[0] + 5 * numbers[1])), "{line}");
    }
}

fn with_sum(least: i32, most: i32, zeros: bool) -> Offers<u8> {
    let mut offers = everything();
    let Kind::Shares(shares) = &mut offers.list[0].slots[4].kind else { panic!("shares") };
    (shares.least, shares.most, shares.zeros) = (least, most, zeros);
    offers
}

#[test]
fn random_shares_cover_all_allowed_sums() {
    for (least, most, zeros) in
        [(0, 12, false), (0, 12, true), (6, 12, false), (0, 33, false), (30, 40, false)]
    {
        let offers = with_sum(least, most, zeros);
        let offer = &offers.list[0];
        let mut rng = rng();
        let (mut drawn, mut largest) = (BTreeSet::new(), 0);
        for _ in 0..6_000 {
            let chosen = offers.at_random(offer, &mut rng);
            let line =
                offers.fill(offer, &chosen).unwrap_or_else(|misfit| panic!("{misfit} at {most}"));
            assert!(offers.makes(offer, &line), "{line} at {most}");
            if let Chosen::Numbers(numbers) = &chosen[4] {
                drawn.insert((numbers[0], numbers[1]));
            }
            let fullest = offers.fullest(offer, &mut rng);
            offers.fill(offer, &fullest).unwrap_or_else(|misfit| panic!("{misfit} at {most}"));
            let Chosen::Numbers(numbers) = &fullest[4] else { panic!("nothing at {most}") };
            assert!(numbers[0] == 9 || 2 * (numbers[0] + 1) + 5 * numbers[1] > most);
            assert!(numbers[1] == 3 || 2 * numbers[0] + 5 * (numbers[1] + 1) > most);
            largest = largest.max(2 * numbers[0] + 5 * numbers[1]);
        }
        let all = (0..=9).flat_map(|scouts| (0..=3).map(move |forts| (scouts, forts)));
        let fit = |(scouts, forts): &(i32, i32)| {
            (least..=most).contains(&(2 * scouts + 5 * forts)) && (zeros || scouts + forts > 0)
        };
        let all: BTreeSet<_> = all.filter(fit).collect();
        assert_eq!(drawn, all, "{least} to {most}");
        let sums = all.iter().map(|(scouts, forts)| 2 * scouts + 5 * forts);
        assert_eq!(Some(largest), sums.max(), "{least} to {most}");
    }
}

#[test]
fn unavailable_shares_stay_zero() {
    let mut offers = with_sum(0, 12, false);
    let Kind::Shares(shares) = &mut offers.list[0].slots[4].kind else { panic!("shares") };
    shares.shares[0].most = 0;
    // At least one item must be bought.
    offers.list[0].slots[4].optional = false;
    let mut rng = rng();
    for _ in 0..100 {
        let chosen = offers.at_random(&offers.list[0], &mut rng);
        offers.fill(&offers.list[0], &chosen).unwrap_or_else(|misfit| panic!("{misfit}"));
    }
}

#[test]
fn unaffordable_shares_are_left_empty() {
    let offers = with_sum(0, 1, false);
    let mut rng = rng();
    for _ in 0..50 {
        for chosen in
            [offers.at_random(&offers.list[0], &mut rng), offers.fullest(&offers.list[0], &mut rng)]
        {
            assert_eq!(chosen[4], Chosen::Empty);
            let line = offers.fill(&offers.list[0], &chosen).unwrap();
            assert!(offers.makes(&offers.list[0], &line), "{line}");
        }
    }
}

#[test]
fn a_slot_that_takes_several_values_has_no_counted_ways() {
    let mut draft = Draft::<u8>::new();
    let ships = [draft.value("A1", ""), draft.value("A2", "")];
    let list = draft.list(ships);
    for (key, most) in [("one", 1), ("two", 2)] {
        let picks = Picks { most, separator: " ".into(), ..Picks::one(list) };
        let slot = Slot::new("ships", "which", Kind::Pieces(picks));
        draft.offer(key, "go {ships}", "", "").slot(slot);
    }
    let offers = draft.complete();
    let ways = offers.list.iter().map(|offer| offers.ways(offer)).collect::<Vec<_>>();
    assert_eq!(ways, [Some(2), None]);
}

#[test]
fn a_fill_error_names_its_slot_and_the_reason() {
    let offers = everything();
    let good =
        [values(&[0]), values(&[3]), Chosen::Empty, Chosen::Number(1), Chosen::Empty, text("ab")];
    for (index, wrong, said) in [
        (0, Chosen::Empty, "ships: a value is required."),
        (0, Chosen::Number(1), "ships: this slot expects another type of value."),
        (0, values(&[]), "ships: values: expected 1 to 3, found 0."),
        (1, values(&[3, 4]), "to: values: expected 1, found 2."),
        (3, Chosen::Number(2), "count: expected -2 to 7 in steps of 3, found 2."),
        (4, Chosen::Numbers(vec![10, 0]), "buy: {} scouts: expected 0 to 9, found 10."),
        (4, Chosen::Numbers(vec![9, 0]), "buy: sum: expected 0 to 12, found 18."),
    ] {
        let mut all = good.clone();
        all[index] = wrong;
        let misfit = offers.fill(&offers.list[0], &all).unwrap_err();
        assert_eq!(misfit.to_string(), said);
    }
}
