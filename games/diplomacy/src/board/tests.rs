use super::*;

fn province(text: &str) -> Province {
    text.parse::<Province>().unwrap()
}

#[test]
fn d1_the_map_has_its_provinces_centers_and_links() {
    let count = |terrain| {
        Province::ALL.into_iter().filter(|province| province.terrain() == terrain).count()
    };
    assert_eq!([Terrain::Inland, Terrain::Coastal, Terrain::Sea].map(count), [14, 42, 19]);
    assert_eq!((centers().len(), NODES), (34, 81));
    let armies: usize = Province::ALL.into_iter().map(|province| province.by_army().len()).sum();
    let fleets: usize = Node::ALL.into_iter().map(|node| node.by_fleet().len()).sum();
    assert_eq!((armies, fleets), (222, 282));
}

#[test]
fn d1_borders_are_crossed_both_ways() {
    for here in Province::ALL {
        assert!(here.by_army().iter().all(|there| there.by_army().contains(here)), "{here}");
    }
    for here in Node::ALL {
        assert!(here.by_fleet().iter().all(|there| there.by_fleet().contains(here)), "{here}");
        assert!(
            !here.province().has_two_coasts()
                || here.coast().is_some()
                || here.by_fleet().is_empty(),
            "{here}"
        );
    }
}

#[test]
fn d1_provinces_are_numbered_by_their_english_names() {
    let names: Vec<&str> = Province::ALL.into_iter().map(Province::name).collect();
    assert!(names.is_sorted());
}

#[test]
fn d1_fleets_follow_the_coast() {
    assert!(province("Rom").by_army().contains(province("Ven")));
    assert!(!province("Rom").by_sea().contains(province("Ven")));
    assert!(province("Con").node().fleet_provinces().contains(province("Bul")));
    assert_eq!(
        province("Spa").coasts().map(|node| node.to_string()).collect::<Vec<_>>(),
        ["Spa/nc", "Spa/sc"]
    );
}

#[test]
fn d10_powers_have_three_homes_and_russia_four() {
    let homes =
        |power| Province::ALL.into_iter().filter(|province| province.home() == Some(power)).count();
    assert_eq!((0..STANDARD_POWERS).map(homes).collect::<Vec<_>>(), [3, 3, 3, 3, 3, 4, 3]);
    assert!(
        Province::ALL.into_iter().all(|province| province.home().is_none() || province.is_center())
    );
    let units = standard_powers().map(|(_, units)| units.count()).sum::<usize>();
    assert_eq!(units, 22);
}

#[test]
fn places_survive_a_round_trip() {
    for node in Node::ALL {
        assert_eq!(node.to_string().parse::<Node>().ok(), Some(node));
        assert_eq!(node.to_string().to_uppercase().parse::<Node>().ok(), Some(node));
    }
    assert_eq!("spa(nc)".parse::<Node>().ok(), "Spa/nc".parse::<Node>().ok());
    assert_eq!(
        (
            "Par/nc".parse::<Node>().ok(),
            "Spa/ec".parse::<Node>().ok(),
            "Xyz".parse::<Node>().ok(),
            "/".parse::<Node>().ok(),
            "".parse::<Node>().ok()
        ),
        (None, None, None, None, None)
    );
}
