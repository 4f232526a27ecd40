//! Notes 11.2, step 7: unique names, shuffled so that they do not reveal where objects are.

use super::chance::Rng;
use crate::name::Name;

const STARTS: [&str; 40] = [
    "Ab", "Al", "An", "Ar", "Bel", "Bor", "Cal", "Cer", "Cor", "Dal", "Del", "Dor", "El", "Er",
    "Fal", "Far", "Gal", "Gor", "Hal", "Hel", "Il", "Is", "Jor", "Kal", "Kel", "Lan", "Lor", "Mal",
    "Mer", "Nar", "Nor", "Or", "Pel", "Ral", "Sal", "Ser", "Tal", "Tor", "Val", "Zer",
];
const MIDDLES: [&str; 12] = ["a", "e", "i", "o", "u", "ad", "en", "is", "or", "ul", "eth", "im"];
const ENDS: [&str; 20] = [
    "bar", "cha", "dan", "dria", "fax", "gon", "kos", "lia", "mar", "mon", "nax", "nis", "phon",
    "rak", "ris", "shan", "thea", "tis", "von", "xes",
];

/// The names of empires, one per line.
const EMPIRES: &str = include_str!("empires.txt");

pub(crate) struct Names {
    objects: Vec<u16>,
    dealt: usize,
    empires: Vec<&'static str>,
    taken: Vec<Name>,
}

impl Names {
    pub(super) fn shuffled(chance: &mut Rng, taken: impl IntoIterator<Item = Name>) -> Self {
        let mut objects: Vec<u16> =
            (0..(STARTS.len() * MIDDLES.len() * ENDS.len()) as u16).collect();
        chance.shuffle(&mut objects);
        let mut empires: Vec<&'static str> = EMPIRES.lines().collect();
        chance.shuffle(&mut empires);
        let mut taken: Vec<Name> = taken.into_iter().collect();
        taken.sort_unstable();
        Self { objects, dealt: 0, empires, taken }
    }

    pub(crate) fn world(&mut self) -> Name {
        self.object("")
    }

    pub(crate) fn portal(&mut self) -> Name {
        self.object("_Gate")
    }

    pub(crate) fn storm(&mut self) -> Name {
        self.object("_Veil")
    }

    pub(crate) fn empire(&mut self) -> Name {
        loop {
            let name = Name::new(
                self.empires.pop().expect("each empire excludes at most one name of the list"),
            );
            let name = name.expect("the names in the list are valid");
            if self.taken.binary_search(&name).is_err() {
                return name;
            }
        }
    }

    fn object(&mut self, ending: &str) -> Name {
        loop {
            let index = usize::from(self.objects[self.dealt % self.objects.len()]);
            let round = self.dealt / self.objects.len();
            self.dealt += 1;
            let start = STARTS[index % STARTS.len()];
            let middle = MIDDLES[index / STARTS.len() % MIDDLES.len()];
            let end = ENDS[index / STARTS.len() / MIDDLES.len()];
            let number = if round == 0 { String::new() } else { (round + 1).to_string() };
            let name = Name::new(&format!("{start}{middle}{end}{ending}{number}"))
                .expect("the combined parts are short enough for a name");
            if self.taken.binary_search(&name).is_err() {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_kernel::Dice;

    #[test]
    fn names_are_unlimited_and_unique() {
        let mut names = Names::shuffled(&mut Rng::draw(&mut Dice::new([1; 32])), []);
        let mut objects: Vec<Name> = (0..30_000).map(|_| names.world()).collect();
        objects.sort_unstable();
        objects.dedup();
        assert_eq!(objects.len(), 30_000);
        let mut empires: Vec<Name> = (0..60).map(|_| names.empire()).collect();
        empires.sort_unstable();
        empires.dedup();
        assert_eq!(empires.len(), 60);
    }
}
