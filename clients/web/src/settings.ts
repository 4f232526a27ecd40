// Settings stored in this browser.

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { MapTheme } from './engine/contract';
import { recall, remember } from './engine/storage';
import type { MapThemeName } from './scene/colors';
import { t } from './words';

export type Theme = 'auto' | MapThemeName;
export function themes(): [Theme, string][] {
  return [
    ['auto', t('page-theme-auto')],
    ['dark', t('page-theme-dark')],
    ['light', t('page-theme-light')],
    ['color-blind', t('page-theme-color-blind')],
    ['color-blind-light', t('page-theme-color-blind-light')],
  ];
}

export const theme = signal<Theme>(recall('theme', 'auto'));
/** Whether the browser shows a notification when it is the player's turn. */
export const notifies = signal<boolean>(recall('notifies', false));
/** Whether the tree of places and pieces is shown next to the map. */
export const showsTree = signal<boolean>(recall('tree', false));
/** Whether the tables are shown next to the map on wide screens. */
export const showsPanels = signal<boolean>(recall('panels', true));

function matching(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener('change', () => {
    matches.value = media.matches;
  });
  return matches;
}

const systemIsLight = matching('(prefers-color-scheme: light)');
/** Whether the game panel is a sheet at the edge of the map. */
export const isPhone = matching('(max-width: 899px)');
/** Whether the tables are beside the map. */
export const isDocked = matching('(min-width: 1200px)');
/** Whether the events have a panel of their own. */
export const isWide = matching('(min-width: 1700px)');

export const shownTheme = computed<MapThemeName>(() => {
  if (theme.value !== 'auto') return theme.value;
  return systemIsLight.value ? 'light' : 'dark';
});

export const mapTheme = computed(() => {
  switch (shownTheme.value) {
    case 'light':
      return MapTheme.LIGHT;
    case 'color-blind':
    case 'color-blind-light':
      return MapTheme.COLOR_BLIND;
    default:
      return MapTheme.DARK;
  }
});

export const reducesMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function startSettings(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = shownTheme.value;
    // The title bar of the installed page.
    const ground = getComputedStyle(document.documentElement).getPropertyValue('--ground');
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground);
    remember('theme', theme.value);
  });
  effect(() => remember('notifies', notifies.value));
  effect(() => remember('tree', showsTree.value));
  effect(() => remember('panels', showsPanels.value));
}
