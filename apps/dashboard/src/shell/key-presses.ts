import { useEffect } from 'preact/hooks';
import { type View, views } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { type CommandName, commandNames, commands, runCommand } from '../ui/commands.ts';
import { listen } from '../ui/listen.ts';
import { viewNames } from './views.ts';

export interface KeyPress extends Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> {
  /** Whether AltGr is held. Some keyboard layouts need it for characters such as [. */
  readonly isAltGraph: boolean;
}

/** The meaning of a key press outside of text fields; `leads` = the next key chooses a view. */
export interface Shortcut {
  readonly command?: CommandName | undefined;
  readonly view?: View | undefined;
  readonly leads: boolean;
}

const leaderMs = 2000;

/** The meaning of a key press; `isLed` = G was pressed just before. */
export function shortcutOf(press: KeyPress, isLed: boolean): Shortcut {
  const key = characterOf(press);
  if (key === undefined) return { leads: isLed && press.key === 'Shift' };
  if (isLed) return { view: views.find((name) => viewNames[name].key === key), leads: false };
  return { command: commandNames.find((name) => commands[name].key === key), leads: key === 'G' };
}

/** The character of a key; `undefined` with modifiers. Characters other than letters may need Shift or AltGr. */
function characterOf({ key, ctrlKey, metaKey, altKey, shiftKey, isAltGraph }: KeyPress): string | undefined {
  if (key.length !== 1 || metaKey || ((ctrlKey || altKey) && !isAltGraph)) return undefined;
  const isLetter = key.toLowerCase() !== key.toUpperCase();
  return isLetter && (shiftKey || isAltGraph) ? undefined : key.toUpperCase();
}

function isModified({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

const textFields =
  'input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=file]), select, textarea, [contenteditable], dialog *';

/** Runs the shortcuts of the page, except while the user types. Ctrl-K and ⌘K always work. */
export function useShortcuts(): void {
  const { navigation, preferences } = useApp();
  const { singleKeys } = useStore(preferences);
  useEffect(() => {
    let ledUntil = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        runCommand('palette', navigation);
        return;
      }
      const before = document.activeElement;
      if (event.key === 'ArrowDown' && before?.matches('body, main') && !isModified(event)) {
        runCommand('rows', navigation);
        // Without a grid, the key scrolls the page.
        if (document.activeElement !== before) event.preventDefault();
        return;
      }
      if (!singleKeys || (event.target as Element).closest(textFields)) return;
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const isAltGraph = event.getModifierState('AltGraph');
      const isLed = event.timeStamp < ledUntil;
      const { command, view, leads } = shortcutOf({ key, ctrlKey, metaKey, altKey, shiftKey, isAltGraph }, isLed);
      ledUntil = leads ? event.timeStamp + leaderMs : 0;
      if (command || view) event.preventDefault();
      if (command) runCommand(command, navigation);
      else if (view) navigation.go({ view, slot: undefined });
    };
    return listen(document, { keydown: press });
  }, [navigation, singleKeys]);
}
