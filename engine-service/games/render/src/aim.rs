//! Which part of a map is wanted, and what of it.

/// Which part of a map is wanted. All that is left out is as the game shows it by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// The place in the middle: its coordinates, or the name of something there.
    pub around: Option<String>,
    /// How far the map reaches from there.
    pub radius: Option<u32>,
    /// What is shown, in the game's own words.
    pub layer: Option<String>,
}

/// What is around a place, on a map without layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<P> {
    /// The place in the middle.
    pub around: P,
    /// How far the map reaches from there, if that was asked for.
    pub radius: Option<u32>,
}

impl Aim {
    /// What is wanted of a map without layers; `find` tells the place of a name.
    pub fn part<P>(&self, find: impl FnOnce(&str) -> Option<P>) -> Result<Part<P>, String> {
        if self.layer.is_some() {
            return Err("The map of this game has no layers.".into());
        }
        let Some(name) = &self.around else {
            return Err("Name the place in the middle, too.".into());
        };
        let around = find(name).ok_or_else(|| format!("The map shows no `{name}`."))?;
        Ok(Part { around, radius: self.radius })
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reads what a player types behind `map`: a number is the radius, a word with a colon names
    /// what is shown (`layer:ships`), the rest is the place.
    pub fn read(text: &str) -> Self {
        let mut aim = Self::default();
        let mut place: Vec<&str> = Vec::new();
        for word in text.split_whitespace() {
            if let Ok(radius) = word.parse() {
                aim.radius = Some(radius);
            } else if let Some(layer) = word.strip_prefix("layer:") {
                aim.layer = Some(layer.to_owned());
            } else {
                place.push(word);
            }
        }
        aim.around = (!place.is_empty()).then(|| place.join(" "));
        aim
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_around_a_place_that_there_is() {
        let part = |text: &str| {
            Aim::read(text).part(|name| (name == "Ember").then_some(7)).map_err(|why| why.len())
        };
        assert_eq!(part("Ember 3"), Ok(Part { around: 7, radius: Some(3) }));
        assert_eq!(part("Ember"), Ok(Part { around: 7, radius: None }));
        assert!(part("3").is_err() && part("Amber").is_err() && part("Ember layer:x").is_err());
    }

    #[test]
    fn a_map_is_aimed_with_a_place_a_radius_and_a_layer() {
        let aim = Aim::read("(3, -1) 4 layer:ships");
        let wanted =
            Aim { around: Some("(3, -1)".into()), radius: Some(4), layer: Some("ships".into()) };
        assert_eq!(aim, wanted);
        assert!(Aim::read("  ").is_empty());
        assert_eq!(Aim::read("Ember").around.as_deref(), Some("Ember"));
    }
}
