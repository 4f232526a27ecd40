// Short names of clients, from their user agents.

import { t } from '../words';

/** Text of a user agent and the browser that it identifies. The first match counts. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  // The server keeps the first 64 characters, which often end before the name of the browser.
  [/rv:\d|Gecko\/\d/, 'Firefox'],
  [/AppleWebKit\/537/, 'Chrome'],
  [/AppleWebKit\/\d/, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

/** Returns a short name of a client: "Chrome on Linux", or the program of a user agent. */
export function clientName(agent: string): string {
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(agent))?.[1];
  if (!agent.startsWith('Mozilla/')) return /^[^/\s]*/.exec(agent)?.[0] ?? '';
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (!browser || !system) return browser ?? system ?? '';
  return t('page-browser-on-system', { browser, system });
}
