//! engine-service/games/table
