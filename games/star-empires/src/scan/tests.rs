//! Tests of contacts by messages.

use heliopause_kernel::{Game, Seat, SeatSet, Viewer};

use crate::testing::Site;

#[test]
fn situation_73_a_signed_message_makes_a_contact_and_an_anonymous_one_does_not() {
    let mut site = Site::new();
    let (one, two) = (Seat::at(0), Seat::at(1));
    site.galaxy().empires[1].contacts = SeatSet::EMPTY;
    let met = |site: &Site| site.game.galaxy.empire(two).contacts.contains(one);
    assert!(site.game.press(one, two, true).is_ok() && site.game.press(two, one, true).is_err());
    assert!(site.game.message_delivered(one, two, true).is_empty());
    assert!(!met(&site));
    let mut view = site.game.view(Viewer::Seat(two));
    let told = site.game.message_delivered(one, two, false);
    assert!(met(&site) && site.game.press(two, one, false).is_ok());
    for event in told.to(Viewer::Seat(two)) {
        crate::StarEmpires::update(&mut view, event);
    }
    assert_eq!(view, site.game.view(Viewer::Seat(two)));
    assert!(site.game.message_delivered(one, two, false).is_empty(), "a contact is made once");
    assert_eq!(
        told.to(Viewer::Seat(one)).count(),
        0,
        "the sender is not told what they did not know"
    );
}
