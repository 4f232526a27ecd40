// What a player has set on this machine.

import { computed, effect, signal } from '@preact/signals';
import { MapTheme } from './engine/contract';
import { recall, remember } from './engine/keep';

export type Theme = 'auto' | 'dark' | 'light' | 'color-blind';
export const THEMES: readonly [Theme, string][] = [
  ['auto', 'As the system'],
  ['dark', 'Dark'],
  ['light', 'Light'],
  ['color-blind', 'Colour-blind'],
];

export const theme = signal<Theme>(recall('theme', 'auto'));
/** Whether the browser shows a notice when it is the player's turn. */
export const notifies = signal<boolean>(recall('notifies', false));
/** Whether the places and pieces stand beside each picture as a tree. */
export const showsTree = signal<boolean>(recall('tree', false));

const prefersLight = matchMedia('(prefers-color-scheme: light)');
const systemIsLight = signal(prefersLight.matches);
prefersLight.addEventListener('change', () => {
  systemIsLight.value = prefersLight.matches;
});

/** The theme that holds. */
export const shownTheme = computed<Exclude<Theme, 'auto'>>(() => {
  if (theme.value !== 'auto') return theme.value;
  return systemIsLight.value ? 'light' : 'dark';
});

/** The theme of pictures. */
export const mapTheme = computed(() => {
  switch (shownTheme.value) {
    case 'light':
      return MapTheme.LIGHT;
    case 'color-blind':
      return MapTheme.COLOR_BLIND;
    default:
      return MapTheme.DARK;
  }
});

/** Whether a player wants nothing to move by itself. */
export const reducesMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function startSettings(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = shownTheme.value;
    remember('theme', theme.value);
  });
  effect(() => remember('notifies', notifies.value));
  effect(() => remember('tree', showsTree.value));
}
