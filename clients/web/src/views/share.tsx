// The link of a public game, and the code that embeds its board in other pages.

import { useSignal } from '@preact/signals';
import { type Game, GameStatus, WatchRule } from '../engine/contract';
import { server } from '../session';
import { Copyable, Dialog, Field, Select } from '../ui/components';
import { t } from '../words';

type Theme = 'dark' | 'light' | 'color-blind';

export function ShareButton({ game }: { game: Game }) {
  const isOpen = useSignal(false);
  if (game.isPrivate || game.sandbox) return null;
  return (
    <>
      <button type="button" class="button small" onClick={() => (isOpen.value = true)}>
        {t('finding-share')}
      </button>
      {isOpen.value ? <Share game={game} close={() => (isOpen.value = false)} /> : null}
    </>
  );
}

function Share({ game, close }: { game: Game; close: () => void }) {
  const theme = useSignal<Theme>('dark');
  const id = encodeURIComponent(game.gameId);
  const frame = frameOf(`${location.origin}/embed/${id}?theme=${theme.value}`);
  const hasBoard = game.status === GameStatus.RUNNING || game.status === GameStatus.ENDED;
  return (
    <Dialog title={t('finding-share-title')} class="share" close={close}>
      <div class="share-part">
        <h3>{t('finding-link')}</h3>
        <Copyable text={`${location.origin}/g/${id}`} label={t('finding-copy-link')} />
        {server.value?.watch === WatchRule.PUBLIC ? (
          <>
            <p class="hint">{t('finding-link-hint')}</p>
            {hasBoard ? (
              <img class="share-preview" src={`/g/${id}.png`} alt={t('finding-preview')} />
            ) : null}
            <h3>{t('finding-embed')}</h3>
            <p class="hint">{t('finding-embed-hint')}</p>
            <Field label={t('finding-theme')}>
              {(field) => (
                <Select
                  id={field}
                  value={theme.value}
                  options={[
                    ['dark', t('finding-dark')],
                    ['light', t('finding-light')],
                    ['color-blind', t('finding-color-blind')],
                  ]}
                  set={(value) => (theme.value = value)}
                />
              )}
            </Field>
            <Copyable text={frame} label={t('finding-copy-code')} />
          </>
        ) : (
          <p class="hint">{t('finding-accounts-only')}</p>
        )}
      </div>
    </Dialog>
  );
}

function frameOf(source: string): string {
  const attributes = 'width="640" height="480" loading="lazy" style="border:0"';
  return `<iframe src="${source}" title="Heliopause" ${attributes}></iframe>`;
}
