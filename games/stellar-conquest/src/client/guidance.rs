//! Queries for clients: the result of a decree, and the default order.

use heliopause_kernel::Refusal;

use crate::rules::judge::refuse;
use crate::state::{
    CampaignStage, DecreeSheet, Order, ProductionSheet, Stage, StellarConquest, View,
};

impl StellarConquest {
    /// Returns the sheet that results from a decree, or the reason for its rejection (space 6.2).
    pub fn decreed(view: &View, sheet: &DecreeSheet) -> Result<ProductionSheet, Refusal> {
        let Some(seat_view) = view.seat_view() else {
            return refuse!("not-a-seat");
        };
        seat_view.judge_decree(sheet)?;
        seat_view.draft(sheet)
    }

    /// Returns the seat's default order at a deadline, or `None` if no order is due or a die
    /// decides.
    pub fn default_order(view: &View) -> Option<Order> {
        let seat_view = view.seat_view()?;
        match view.table.stage {
            Stage::Battle => {
                let battle = view
                    .table
                    .battle
                    .as_deref()
                    .filter(|battle| battle.waits_for().contains(seat_view.seat))?;
                Some(seat_view.default_answer(battle))
            }
            Stage::Campaign(CampaignStage::Recall { half_points, .. })
                if view.table.active == seat_view.seat =>
            {
                Some(Order::Recall { ships: seat_view.default_recall(half_points) })
            }
            Stage::Campaign(CampaignStage::Place { at }) if view.table.active == seat_view.seat => {
                Some(seat_view.default_place(at))
            }
            Stage::Production if view.table.campaign.politics().is_some() => {
                Some(Order::Decree(DecreeSheet::default()))
            }
            Stage::Production => Some(Order::Produce(seat_view.default_production())),
            Stage::Setup
            | Stage::Campaign(_)
            | Stage::Movement
            | Stage::Combat
            | Stage::Planets
            | Stage::Over => None,
        }
    }
}
