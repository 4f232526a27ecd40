//! What a client may ask of a view to lead a player through a decision: the same calculations by
//! which orders are judged.

use heliopause_kernel::Refusal;

use crate::rules::judge::refuse;
use crate::state::campaign::CampaignStage;
use crate::state::colony::Colony;
use crate::state::order::Order;
use crate::state::position::StellarConquest;
use crate::state::research::Research;
use crate::state::sheet::{DecreeSheet, ProductionSheet};
use crate::state::table::Stage;
use crate::state::view::View;
use crate::tables::ships::Fleet;
use crate::tables::technology::TechSet;

/// What a colony's part of a production sheet comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Account {
    /// The colony afterwards.
    pub colony: Colony,
    /// Its i.p. (17.3).
    pub output: u32,
    /// i.p. that are not spent, and will be lost.
    pub left: u32,
    /// The ships that it builds.
    pub fleet: Fleet,
}

/// What a production sheet comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accounts {
    /// The colonies, in the order of the sheet.
    pub colonies: Vec<Account>,
    /// The research afterwards.
    pub research: Research,
    pub acquired: TechSet,
}

impl StellarConquest {
    /// 17: what a production sheet comes to, or why it would be refused.
    pub fn accounts(view: &View, sheet: &ProductionSheet) -> Result<Accounts, Refusal> {
        let Some(eyes) = view.eyes() else {
            return refuse("not-a-seat", "3", "Only a seat of this game gives orders.");
        };
        eyes.judge_production(sheet)?;
        let ledger = eyes.ledger(sheet)?;
        let account = |site: &crate::rules::ledger::Site| Account {
            colony: site.colony,
            output: site.output,
            left: site.left,
            fleet: site.fleet,
        };
        Ok(Accounts {
            colonies: ledger.sites.iter().map(account).collect(),
            research: ledger.research,
            acquired: ledger.acquired,
        })
    }

    /// Space 6.2: what a decree comes to, colony by colony, or why it would be refused.
    pub fn decreed(view: &View, sheet: &DecreeSheet) -> Result<ProductionSheet, Refusal> {
        let Some(eyes) = view.eyes() else {
            return refuse("not-a-seat", "3", "Only a seat of this game gives orders.");
        };
        eyes.judge_decree(sheet)?;
        eyes.draft(sheet)
    }

    /// What is answered for a view's seat once its time is over, where that is an order; none where
    /// nothing is owed, and where a die decides.
    pub fn default_order(view: &View) -> Option<Order> {
        let eyes = view.eyes()?;
        match view.table.stage {
            Stage::Battle => {
                let battle = view
                    .table
                    .battle
                    .as_deref()
                    .filter(|battle| battle.waits_for().contains(eyes.seat))?;
                Some(eyes.default_answer(battle))
            }
            Stage::Campaign(CampaignStage::Recall { half_points, .. })
                if view.table.active == eyes.seat =>
            {
                Some(Order::Recall { ships: eyes.weakest_worth(half_points) })
            }
            Stage::Campaign(CampaignStage::Place { at }) if view.table.active == eyes.seat => {
                Some(eyes.default_place(at))
            }
            Stage::Production if view.table.campaign.politics().is_some() => {
                Some(Order::Decree(DecreeSheet::default()))
            }
            Stage::Production => Some(Order::Produce(eyes.default_production())),
            Stage::Setup
            | Stage::Campaign(_)
            | Stage::Movement
            | Stage::Combat
            | Stage::Planets
            | Stage::Over => None,
        }
    }
}
