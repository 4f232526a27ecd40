// Describes a game's options in words. Returns an empty list until the module with the protobuf
// descriptors is loaded.

import { useSignal, useSignalEffect } from '@preact/signals';
import type { Game } from '../engine/contract';
import { kindsOf } from './kinds';

export function useOptionWords(game: Game | undefined): readonly string[] {
  const words = useSignal<readonly string[]>([]);
  const asked = useSignal(game);
  asked.value = game;
  useSignalEffect(() => {
    const shown = asked.value;
    const kind = kindsOf.value?.find((each) => each.kind === shown?.kind);
    if (!kind || !shown) return undefined;
    let isOpen = true;
    import('../options')
      .then((module) => module.optionsInWords(kind, shown.options))
      .then((found) => {
        if (isOpen && found.join() !== words.peek().join()) words.value = found;
      })
      .catch(() => undefined);
    return () => {
      isOpen = false;
    };
  });
  return words.value;
}
