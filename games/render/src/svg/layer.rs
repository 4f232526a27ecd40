//! The named layers of pictures, from bottom to top.

heliopause_kernel::vocabulary! {
    /// A layer of a picture. The layers are the same in all games and may be empty.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Layer {
        Ground = "ground",
        /// Hexes, provinces and sectors. Each has a mark.
        Places = "places",
        Regions = "regions",
        /// Permanent connections between places.
        Ways = "ways",
        /// Natural objects: stars, planets, storms, supply centers.
        Bodies = "bodies",
        Orders = "orders",
        /// Ships, armies, bases and colonies. Each has a mark.
        Pieces = "pieces",
        Labels = "labels",
        Legend = "legend",
    }
}

impl Layer {
    /// Returns whether the pointer hits marks of the layer. Other layers are transparent to it.
    pub fn has_marks(self) -> bool {
        match self {
            Self::Places | Self::Bodies | Self::Orders | Self::Pieces | Self::Legend => true,
            Self::Ground | Self::Regions | Self::Ways | Self::Labels => false,
        }
    }
}
