use super::*;

fn province(text: &str) -> Province {
    Province::read(text).unwrap()
}

#[test]
fn d1_the_map_has_its_provinces_centers_and_links() {
    let count = |terrain| Province::all().filter(|province| province.terrain() == terrain).count();
    assert_eq!([Terrain::Inland, Terrain::Coastal, Terrain::Sea].map(count), [14, 42, 19]);
    assert_eq!((centers().len(), NODES), (34, 81));
    let armies: usize = Province::all().map(|province| province.by_army().len()).sum();
    let fleets: usize = Node::all().map(|node| node.by_fleet().len()).sum();
    assert_eq!((armies, fleets), (222, 282));
}

#[test]
fn d1_borders_are_crossed_both_ways() {
    for here in Province::all() {
        assert!(here.by_army().iter().all(|there| there.by_army().contains(here)), "{here}");
    }
    for here in Node::all() {
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
    let names: Vec<&str> = Province::all().map(Province::name).collect();
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
fn d10_each_power_has_three_homes_but_russia_four() {
    let homes = |power| Province::all().filter(|province| province.home() == Some(power)).count();
    assert_eq!((0..STANDARD_POWERS).map(homes).collect::<Vec<_>>(), [3, 3, 3, 3, 3, 4, 3]);
    assert!(Province::all().all(|province| province.home().is_none() || province.is_center()));
    let units = standard_powers().map(|(_, units)| units.count()).sum::<usize>();
    assert_eq!(units, 22);
}

#[test]
fn places_read_back_as_written() {
    for node in Node::all() {
        assert_eq!(Node::read(&node.to_string()), Some(node));
        assert_eq!(Node::read(&node.to_string().to_uppercase()), Some(node));
    }
    assert_eq!(Node::read("spa(nc)"), Node::read("Spa/nc"));
    assert_eq!(
        (
            Node::read("Par/nc"),
            Node::read("Spa/ec"),
            Node::read("Xyz"),
            Node::read("/"),
            Node::read("")
        ),
        (None, None, None, None, None)
    );
}
