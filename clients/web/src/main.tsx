import './style/page.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app';
import { startNotices, toast } from './notices';
import { registerServiceWorker } from './offline';
import { renew } from './push';
import { startQueue } from './quick';
import { startRouter } from './router';
import { installColors } from './scene/styles';
import { canBrowse, me, resume, sessionFailure } from './session';
import { startSettings } from './settings';
import { loadKinds } from './views/kinds';
import { startLanguage } from './words';

installColors();
startSettings();
startRouter();
// The first calls are answered while the page is drawn.
const resumed = resume();
await startLanguage();
const root = document.getElementById('app');
if (root) render(<App />, root);
await resumed;
startNotices();
startQueue();
registerServiceWorker()
  .then(() => (me.value ? renew() : undefined))
  .catch(() => undefined);
effect(() => {
  // Guests see a failed sign-in on the sign-in page; players see it as a toast.
  if (!me.value || !sessionFailure.value) return;
  toast(sessionFailure.value.message);
  sessionFailure.value = undefined;
});
effect(() => {
  // Until the names of the games are loaded, the page shows their ids.
  if (canBrowse.value) loadKinds().catch(() => undefined);
});
