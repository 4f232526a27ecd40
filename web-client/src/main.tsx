import './style/page.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app';
import { startNotices, toast } from './notices';
import { startRouter } from './router';
import { maySee, me, resume, trouble } from './session';
import { startSettings } from './settings';
import { loadKinds } from './views/kinds';

startSettings();
startRouter();
const root = document.getElementById('app');
if (root) render(<App />, root);
await resume();
startNotices();
effect(() => {
  // A guest reads at the door why signing in failed. A player reads it in a corner.
  if (!me.value || !trouble.value) return;
  toast(trouble.value.message);
  trouble.value = undefined;
});
effect(() => {
  // Without the names of the games the page shows their ids.
  if (maySee.value) loadKinds().catch(() => undefined);
});
