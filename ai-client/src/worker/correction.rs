//! Corrections of rejected answers.

use std::collections::VecDeque;

use heliopause_proto::v1::{GameOrder, Verdict};

use crate::games::Draft;

/// An answer and the alternatives to try if it is rejected.
#[derive(Debug)]
pub(super) struct Correction {
    given: Draft,
    spare: Option<VecDeque<GameOrder>>,
}

impl Correction {
    pub(super) fn new(given: Draft) -> Self {
        Self { given, spare: None }
    }

    pub(super) fn next(
        &mut self,
        verdicts: &[Verdict],
        fallbacks: impl FnOnce() -> Vec<GameOrder>,
    ) -> Option<Draft> {
        if verdicts.iter().any(|verdict| verdict.field == "messages")
            && !self.given.messages.is_empty()
        {
            self.given.messages.clear();
            return Some(self.given.clone());
        }
        let orders = self
            .without_refused(verdicts)
            .or_else(|| self.next_fallback(fallbacks).map(|order| vec![order]))?;
        // The memo and messages of the bot belong to the rejected orders.
        self.given = Draft { orders, ready: self.given.ready, memo: None, messages: Vec::new() };
        Some(self.given.clone())
    }

    fn without_refused(&self, verdicts: &[Verdict]) -> Option<Vec<GameOrder>> {
        let accepted = |index: usize| verdicts.get(index).is_some_and(|verdict| verdict.accepted);
        let numbered = self.given.orders.iter().enumerate();
        let kept: Vec<GameOrder> = numbered
            .filter(|(index, _)| accepted(*index))
            .map(|(_, order)| order.clone())
            .collect();
        (!kept.is_empty() && kept.len() < self.given.orders.len()).then_some(kept)
    }

    fn next_fallback(&mut self, fallbacks: impl FnOnce() -> Vec<GameOrder>) -> Option<GameOrder> {
        let refused = std::mem::take(&mut self.given.orders);
        let spare = self.spare.get_or_insert_with(|| fallbacks().into());
        while let Some(order) = spare.pop_front() {
            if !refused.contains(&order) {
                return Some(order);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::game_order::Game;

    use super::*;

    fn order(count: u32) -> GameOrder {
        use heliopause_proto::starships_at_large::v1::{Build, Order, order::Kind};
        let kind = Some(Kind::Build(Build { count, base: 0 }));
        GameOrder { game: Some(Game::StarshipsAtLarge(Order { kind })) }
    }

    fn verdict(accepted: bool) -> Verdict {
        Verdict { accepted, ..Verdict::default() }
    }

    fn draft(counts: &[u32]) -> Draft {
        Draft {
            orders: counts.iter().copied().map(order).collect(),
            ready: true,
            memo: Some(vec![1]),
            messages: Vec::new(),
        }
    }

    #[test]
    fn rejected_orders_are_dropped_and_the_rest_resubmitted() {
        let mut correction = Correction::new(draft(&[1, 2, 3]));
        let next = correction
            .next(&[verdict(true), verdict(false), verdict(true)], || unreachable!())
            .unwrap();
        assert_eq!(next, Draft { memo: None, ..draft(&[1, 3]) });
    }

    #[test]
    fn rejected_messages_are_dropped_and_the_orders_kept() {
        let message =
            heliopause_proto::v1::SeatMessage { to_seats: vec![3], text: "peace?".to_owned() };
        let mut correction = Correction::new(Draft { messages: vec![message], ..draft(&[1, 2]) });
        let unsaid = Verdict { field: "messages".to_owned(), ..verdict(false) };
        let next = correction.next(&[unsaid], || unreachable!()).unwrap();
        assert_eq!(next, draft(&[1, 2]), "what the bot wants to remember stays, too");
    }

    #[test]
    fn fallbacks_are_tried_except_rejected_orders() {
        let mut correction = Correction::new(draft(&[1]));
        let list = || vec![order(1), order(2), order(3)];
        assert_eq!(correction.next(&[verdict(false)], list).unwrap().orders, [order(2)]);
        assert_eq!(
            correction.next(&[verdict(false)], || unreachable!()).unwrap().orders,
            [order(3)]
        );
        assert_eq!(correction.next(&[verdict(false)], || unreachable!()), None);
    }

    #[test]
    fn malformed_verdicts_lead_to_fallbacks() {
        for verdicts in [vec![], vec![verdict(true), verdict(true)], vec![verdict(false); 9]] {
            let mut correction = Correction::new(draft(&[1, 2]));
            let next = correction.next(&verdicts, || vec![order(7)]).unwrap();
            assert_eq!(next.orders, [order(7)], "{verdicts:?}");
        }
    }
}
