//! The layers of pictures.

heliopause_kernel::vocabulary! {
    /// A layer of a picture, the lower ones first. All games have the same; a game without ways,
    /// say, has none on that layer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Layer {
        /// The sheet or the sky.
        Ground = "ground",
        /// The places: hexes, provinces, sectors. Each has its mark.
        Places = "places",
        /// Whose the places are, and to which part of the map they belong.
        Regions = "regions",
        /// Lasting ways between places.
        Ways = "ways",
        /// What there is by nature: stars, planets, storms, supply centers.
        Bodies = "bodies",
        /// Orders, moves and courses.
        Orders = "orders",
        /// Ships, armies, bases, colonies. Each has its mark.
        Pieces = "pieces",
        /// The names of places, and coordinates.
        Labels = "labels",
        /// Headings, the players, and what the signs mean.
        Legend = "legend",
    }
}

impl Layer {
    /// Whether its elements are marked, so that a pointer should find them. A pointer goes through
    /// the others.
    pub fn is_touched(self) -> bool {
        match self {
            Self::Places | Self::Bodies | Self::Orders | Self::Pieces | Self::Legend => true,
            Self::Ground | Self::Regions | Self::Ways | Self::Labels => false,
        }
    }
}
