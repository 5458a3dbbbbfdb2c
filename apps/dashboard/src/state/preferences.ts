import { type DensityName, densities } from '../matrix/layout.ts';
import { type Preset, presetsOf } from './presets.ts';
import { Store } from './store.ts';

export const themes = ['automatic', 'light', 'dark'] as const;

/** What this browser remembers of its user; what a link says stands in the URL instead. */
export interface Preferences {
  readonly theme: (typeof themes)[number];
  readonly density: Exclude<DensityName, 'wall'>;
  readonly absoluteTimes: boolean;
  readonly presets: readonly Preset[];
  /** Notifications are wanted for what matches this query; `undefined` = none. */
  readonly notifyFor: string | undefined;
}

/** Of the service below this path alone: another may be below another. */
const storageName = `shiplog ${new URL('.', document.baseURI).pathname}`;
const initial: Preferences = {
  theme: 'automatic',
  density: 'normal',
  absoluteTimes: false,
  presets: [],
  notifyFor: undefined,
};

export const preferences = new Store(read());
// What one tab sets holds in all of them.
addEventListener('storage', ({ key }) => key === storageName && preferences.set(read()));

/** Sets what is named, beside what any tab has stored meanwhile. */
export function prefer(change: Partial<Preferences>): void {
  const value = { ...read(preferences.value), ...change };
  write(value);
  preferences.set(value);
}

/** What is stored; where nothing can be read, what is remembered. */
function read(otherwise: Preferences = initial): Preferences {
  try {
    const text = localStorage.getItem(storageName);
    if (text === null) return otherwise;
    const stored = JSON.parse(text);
    return {
      theme: themes.find((theme) => theme === stored.theme) ?? initial.theme,
      density: stored.density !== 'wall' && Object.hasOwn(densities, stored.density) ? stored.density : initial.density,
      absoluteTimes: stored.absoluteTimes === true,
      presets: Array.isArray(stored.presets) ? presetsOf(stored.presets) : [],
      notifyFor: typeof stored.notifyFor === 'string' ? stored.notifyFor : undefined,
    };
  } catch {
    return otherwise;
  }
}

/** A browser that stores nothing (private mode, no room) forgets, and works. */
function write(value: Preferences): void {
  try {
    localStorage.setItem(storageName, JSON.stringify(value));
  } catch {}
}
