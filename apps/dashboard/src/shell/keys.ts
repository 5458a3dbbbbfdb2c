import { type View, views } from '../state/address.ts';
import type { CommandName } from '../ui/commands.ts';

/** What a key asks for. */
export type KeyAct =
  | { readonly kind: 'command'; readonly name: CommandName }
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'filter' | 'keys' };

const commandKeys: Readonly<Record<string, CommandName>> = {
  f: 'failed',
  r: 'running',
  b: 'behind',
  o: 'update-order',
  n: 'now',
  e: 'fold',
  '[': 'before',
  ']': 'after',
};

const viewKeys: Readonly<Record<string, string>> = {
  b: 'board',
  p: 'swimlanes',
  r: 'releases',
  c: 'compare',
  f: 'feed',
  a: 'analytics',
  q: 'quality',
};

/** The key that leads to a view after G. */
export function keyOfView(view: View): string | undefined {
  return Object.keys(viewKeys)
    .find((key) => viewKeys[key] === view)
    ?.toUpperCase();
}

/** The key of a command. */
export function keyOfCommand(name: CommandName): string | undefined {
  return Object.keys(commandKeys)
    .find((key) => commandKeys[key] === name)
    ?.toUpperCase();
}

/** As much of a keyboard event as matters. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** A key of a layout on which signs such as [ need AltGr. */
  readonly isAltGraph: boolean;
}

/** After G, for so long, a key is that of a view. */
export const leaderMs = 2000;

/** What a key that is pressed without typing means; `leads` = the next one is that of a view. */
export function meaningOf(pressed: Pressed, isLed: boolean): { readonly act?: KeyAct; readonly leads: boolean } {
  const key = signOf(pressed);
  if (key === undefined) return { leads: isLed && pressed.key === 'Shift' };
  if (isLed) {
    const view = views.find((name) => name === own(viewKeys, key));
    return view ? { act: { kind: 'view', view }, leads: false } : { leads: false };
  }
  if (key === 'g') return { leads: true };
  if (key === '/') return { act: { kind: 'filter' }, leads: false };
  if (key === '?') return { act: { kind: 'keys' }, leads: false };
  const name = own(commandKeys, key);
  return name ? { act: { kind: 'command', name }, leads: false } : { leads: false };
}

/** The sign of a key; `undefined` for keys with modifiers. Signs may need Shift or AltGr, letters do not. */
function signOf({ key, ctrlKey, metaKey, altKey, shiftKey, isAltGraph }: Pressed): string | undefined {
  if (key.length !== 1 || metaKey || ((ctrlKey || altKey) && !isAltGraph)) return undefined;
  const isLetter = key.toLowerCase() !== key.toUpperCase();
  if (isLetter) return shiftKey || isAltGraph ? undefined : key.toLowerCase();
  return key;
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
