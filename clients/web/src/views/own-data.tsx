// The player's own data: the name, what others see, the export, and the deletion of the account.

import { profiles } from '../engine/calls';
import type { Privacy } from '../engine/contract';
import { go } from '../router';
import { deleteAccount, me, rename } from '../session';
import { ActionButton, Checkbox, ErrorLine, NameForm, useLoaded } from '../ui/components';
import { t } from '../words';

export function Data() {
  return (
    <section class="card" aria-label={t('account-your-data')}>
      <h2>{t('account-your-data')}</h2>
      <PrivacySettings />
      {me.value?.guest ? null : (
        <NameForm
          label={t('account-change-name')}
          field={t('account-new-name')}
          hint={t('account-once-a-day')}
          button={t('account-rename')}
          action={rename}
        />
      )}
      <p>
        <ActionButton action={download}>{t('account-download')}</ActionButton>
      </p>
      <Deletion />
    </section>
  );
}

function PrivacySettings() {
  const loaded = useLoaded(async () => (await profiles.getProfile({})).profile?.privacy);
  const privacy = loaded.value.value;
  const set = async (change: Partial<Privacy>) => {
    const { hideResults = false, hideRatings = false, hideGames = false } = privacy ?? {};
    const before = {
      hideResults,
      hideRatings,
      hideGames,
      hideWatching: privacy?.hideWatching ?? false,
    };
    await profiles.setPrivacy({ privacy: { ...before, ...change } });
    loaded.again();
  };
  return (
    <div class="ticks">
      <ErrorLine failure={loaded.failure.value} />
      <Checkbox
        value={privacy?.hideResults ?? false}
        set={(hideResults) => void set({ hideResults })}
      >
        {t('account-hide-results')}
      </Checkbox>
      <Checkbox
        value={privacy?.hideRatings ?? false}
        set={(hideRatings) => void set({ hideRatings })}
      >
        {t('account-hide-ratings')}
      </Checkbox>
      <Checkbox value={privacy?.hideGames ?? false} set={(hideGames) => void set({ hideGames })}>
        {t('finding-hide-games')}
      </Checkbox>
      <Checkbox
        value={privacy?.hideWatching ?? false}
        set={(hideWatching) => void set({ hideWatching })}
      >
        {t('chat-hide-watching')}
      </Checkbox>
    </div>
  );
}

async function download(): Promise<void> {
  const lines: string[] = [];
  for await (const { line } of profiles.exportMyData({})) lines.push(line, '\n');
  const address = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'heliopause.jsonl';
  link.click();
  URL.revokeObjectURL(address);
}

function Deletion() {
  return (
    <details>
      <summary>{t('account-delete-account')}</summary>
      <p>{t('account-delete-explained')}</p>
      <NameForm
        label={t('account-delete-account')}
        field={t('account-confirm-name')}
        button={t('account-delete')}
        danger
        action={async (name) => {
          await deleteAccount(name);
          go('/sign-in');
        }}
      />
    </details>
  );
}
