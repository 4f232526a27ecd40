import './style/page.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app';
import { startNotices } from './notices';
import { startRouter } from './router';
import { maySee, resume } from './session';
import { startSettings } from './settings';
import { loadKinds } from './views/kinds';

startSettings();
startRouter();
const root = document.getElementById('app');
if (root) render(<App />, root);
await resume();
startNotices();
effect(() => {
  // Without the names of the games the page shows their ids.
  if (maySee.value) loadKinds().catch(() => undefined);
});
