//! Invitations: codes that allow a number of registrations. The store contains only their hashes.

use heliopause_proto::store::v1::Invitation;
use prost::Message as _;

use super::{Accounts, secret};
use crate::failure::Result;
use crate::store::{Account, RecordChange, StoreError, TokenRow};

const SPACE: &str = "invitation";

impl Accounts {
    pub async fn invite(&self, uses: u32) -> Result<String> {
        let (code, left) = (secret::new_invitation(), uses.max(1));
        let body = Invitation { left }.encode_to_vec();
        let create = RecordChange::create(SPACE, &id(&code), "", body);
        self.store.change_records(vec![create]).await?;
        Ok(code)
    }

    /// Opens an account, using an invitation once. Returns `NotFound` for an unknown or used-up
    /// invitation.
    pub(super) async fn open_invited(
        &self,
        account: &Account,
        token: &TokenRow,
        code: &str,
        changes: Vec<RecordChange>,
    ) -> Result<(), StoreError> {
        loop {
            let found = self.store.record(SPACE, &id(code)).await?.ok_or(StoreError::NotFound)?;
            let left = found.message::<Invitation>()?.left;
            let used = if left > 1 {
                found.with_body(Invitation { left: left - 1 }.encode_to_vec())
            } else {
                found.removed()
            };
            let all = changes.iter().cloned().chain([used]).collect();
            let opened = self.store.open_account_with(account.clone(), token.clone(), all).await;
            // With other changes, the race may be for them, so the caller must read them again.
            if !matches!(opened, Err(StoreError::LostRace { .. })) || !changes.is_empty() {
                return opened;
            }
        }
    }
}

fn id(code: &str) -> String {
    secret::id_of('i', code)
}
