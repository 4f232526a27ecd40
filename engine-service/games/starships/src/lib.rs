//! engine-service/games/starships
