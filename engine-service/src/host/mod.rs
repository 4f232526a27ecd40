//! Tables in memory: actors, streams, deadlines, automation.
