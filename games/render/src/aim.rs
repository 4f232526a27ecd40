//! Parses requests for a part or layer of a map.

/// A request for a part or layer of a map. Omitted fields use the game's defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapRequest {
    /// The center: coordinates, or the name of an object.
    pub around: Option<String>,
    /// The radius around the center, in hexes or rows of the map.
    pub radius: Option<u32>,
    pub layer: Option<String>,
}

/// A place and the radius around it, on a map without layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<P> {
    pub around: P,
    pub radius: Option<u32>,
}

impl MapRequest {
    /// Converts the request to a part of a map without layers. `find` looks up a place by name.
    pub fn part<P>(&self, find: impl FnOnce(&str) -> Option<P>) -> Result<Part<P>, String> {
        if self.layer.is_some() {
            return Err("The map of this game has no layers.".into());
        }
        let Some(name) = &self.around else {
            return Err("Specify the center of the map too.".into());
        };
        let around = find(name).ok_or_else(|| format!("`{name}` is not on the map."))?;
        Ok(Part { around, radius: self.radius })
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Parses the arguments of `map`: a number is the radius, a word with a colon is a setting
    /// (`layer:ships`), and the remaining words name the center.
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
    fn parts_require_an_existing_place() {
        let part = |text: &str| {
            MapRequest::read(text)
                .part(|name| (name == "Ember").then_some(7))
                .map_err(|why| why.len())
        };
        assert_eq!(part("Ember 3"), Ok(Part { around: 7, radius: Some(3) }));
        assert_eq!(part("Ember"), Ok(Part { around: 7, radius: None }));
        assert!(part("3").is_err() && part("Amber").is_err() && part("Ember layer:x").is_err());
    }

    #[test]
    fn requests_have_a_place_a_radius_and_a_layer() {
        let aim = MapRequest::read("(3, -1) 4 layer:ships");
        let wanted = MapRequest {
            around: Some("(3, -1)".into()),
            radius: Some(4),
            layer: Some("ships".into()),
        };
        assert_eq!(aim, wanted);
        assert!(MapRequest::read("  ").is_empty());
        assert_eq!(MapRequest::read("Ember").around.as_deref(), Some("Ember"));
    }
}
