// The operator renames and deletes accounts.

import { useSignal } from '@preact/signals';
import { admin } from '../engine/calls-operator';
import type { Player } from '../engine/contract';
import { ActionButton, CallForm, confirm } from '../ui/components';
import { t } from '../words';

export function PlayerActions({ player, again }: { player: Player; again: () => void }) {
  const name = useSignal('');
  const { playerId } = player;
  return (
    <>
      <CallForm
        class="row"
        label={t('finding-rename-player', { name: player.name })}
        action={async () => {
          await admin.renamePlayer({ player: playerId, name: name.value.trim().normalize('NFC') });
          name.value = '';
          again();
        }}
      >
        {(busy) => (
          <>
            <input
              class="slot"
              aria-label={t('finding-new-name', { name: player.name })}
              placeholder={t('finding-name')}
              maxLength={32}
              required
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
            <button type="submit" class="button small" aria-busy={busy}>
              {t('finding-rename')}
            </button>
          </>
        )}
      </CallForm>
      <ActionButton
        class="button small danger"
        label={t('finding-delete-player', { name: player.name })}
        action={async () => {
          const title = t('finding-delete-question', { name: player.name });
          const body = <p>{t('finding-delete-hint')}</p>;
          if (!(await confirm(title, body, t('finding-delete')))) return;
          await admin.deletePlayer({ player: playerId });
          again();
        }}
      >
        {t('finding-delete')}
      </ActionButton>
    </>
  );
}
