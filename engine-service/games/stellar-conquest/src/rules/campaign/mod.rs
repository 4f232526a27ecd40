//! What a variant replaces. One body of rules plays all of them; wherever an article changes a
//! rule, the rule asks a function of `facts` or `seams`, which names the base rule and what each
//! article makes of it. So a reader finds all differences there, and none in the chapters.
//!
//! What a variant adds beside is in its own module: `fate` for The Fate of Empire, `outer_space`
//! for Alone in Outer Space.

pub(crate) mod facts;
pub mod fate;
pub mod outer_space;
pub(crate) mod seams;
