import { useEffect } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { listen } from '../ui/listen.ts';
import { actOn } from './act.ts';
import { leaderMs, meaningOf } from './keys.ts';

const typedInto =
  'input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=file]), select, textarea, [contenteditable], dialog *';

export interface KeyDoors {
  readonly openPalette: () => void;
  readonly openKeys: () => void;
}

/** Keys of the page, wherever the focus is but not while somebody types; Ctrl-K and ⌘K always. */
export function useKeys({ openPalette, openKeys }: KeyDoors): void {
  const { navigation, preferences } = useApp();
  const { singleKeys } = useStore(preferences);
  useEffect(() => {
    let ledUntil = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!singleKeys || (event.target as Element).closest(typedInto)) return;
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const isAltGraph = event.getModifierState('AltGraph');
      const { act, leads } = meaningOf(
        { key, ctrlKey, metaKey, altKey, shiftKey, isAltGraph },
        event.timeStamp < ledUntil,
      );
      ledUntil = leads ? event.timeStamp + leaderMs : 0;
      if (!act) return;
      event.preventDefault();
      if (act.kind === 'command') actOn(act.name, navigation);
      else if (act.kind === 'view') navigation.go({ view: act.view, slot: undefined });
      else if (act.kind === 'keys') openKeys();
      else if (!focusFilter()) openPalette();
    };
    return listen(document, { keydown: press });
  }, [navigation, singleKeys, openPalette, openKeys]);
}

/** Whether the view has a filter to type into. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}
