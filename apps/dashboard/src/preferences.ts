import { type DensityName, densities } from './matrix/layout.ts';
import { type Preset, presetsOf } from './presets.ts';
import { Store } from './ui/store.ts';

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

const storageName = 'shiplog';
const initial: Preferences = {
  theme: 'automatic',
  density: 'normal',
  absoluteTimes: false,
  presets: [],
  notifyFor: undefined,
};

export const preferences = new Store(read());
preferences.listen(() => write(preferences.value));
// What one tab sets holds in all of them.
addEventListener('storage', ({ key }) => key === storageName && preferences.set(read()));

export function prefer(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.value, ...change });
}

function read(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(storageName) ?? '{}');
    return {
      theme: themes.find((theme) => theme === stored.theme) ?? initial.theme,
      density: stored.density in densities && stored.density !== 'wall' ? stored.density : initial.density,
      absoluteTimes: stored.absoluteTimes === true,
      presets: Array.isArray(stored.presets) ? presetsOf(stored.presets) : [],
      notifyFor: typeof stored.notifyFor === 'string' ? stored.notifyFor : undefined,
    };
  } catch {
    return initial;
  }
}

/** A browser that stores nothing (private mode, no room) forgets, and works. */
function write(value: Preferences): void {
  try {
    localStorage.setItem(storageName, JSON.stringify(value));
  } catch {}
}
