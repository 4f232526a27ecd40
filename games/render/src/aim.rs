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

impl MapRequest {
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
