import type { Favourites } from '../board/ownership.ts';
import { type Preset, presetsOf } from './presets.ts';
import { Store } from './store.ts';

export const themes = ['automatic', 'light', 'dark'] as const;
export const densities = ['compact', 'roomy'] as const;

/** What this browser remembers about its user. State that links should share is in the URL instead. */
export interface Preferences {
  readonly theme: (typeof themes)[number];
  readonly density: (typeof densities)[number];
  readonly absoluteTimes: boolean;
  /** Enables shortcuts without a modifier key (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  readonly presets: readonly Preset[];
  /** Folds the list of what needs attention to one line. */
  readonly attentionFolded: boolean;
  /** The items that the viewer has hidden, each until it changes; as `hiddenKey` writes them. */
  readonly hidden: readonly string[];
  /** The environments that the viewer counts as production where the setting has none; `undefined` = never asked. */
  readonly production: readonly string[] | undefined;
  /** The width of the service column in pixels; `undefined` = the usual width. */
  readonly nameWidth: number | undefined;
  /** The query of the last choice of how the board is drawn. */
  readonly display: string;
  /** The services and teams that the filter "mine" selects. */
  readonly favourites: Favourites;
  /** Notifies of events that match this query; `undefined` = no notifications. */
  readonly notifyFor: string | undefined;
  /** Shows above the board what to do after the first event. */
  readonly firstSteps: boolean;
}

const initial: Preferences = {
  theme: 'automatic',
  density: 'compact',
  absoluteTimes: false,
  singleKeys: true,
  attentionFolded: false,
  hidden: [],
  production: undefined,
  nameWidth: undefined,
  display: '',
  presets: [],
  favourites: { services: [], teams: [] },
  notifyFor: undefined,
  firstSteps: false,
};

/** The preferences of this browser, shared by its tabs. */
export class PreferenceStore extends Store<Preferences> {
  readonly #storageName: string;

  constructor(storageName: string) {
    super(read(storageName, initial));
    this.#storageName = storageName;
    addEventListener('storage', ({ key }) => key === storageName && this.set(read(storageName, initial)));
  }

  /** Changes some preferences and keeps changes that other tabs have stored meanwhile. */
  prefer(change: Partial<Preferences>): void {
    const value = { ...read(this.#storageName, this.value), ...change };
    write(this.#storageName, value);
    this.set(value);
  }
}

function read(storageName: string, otherwise: Preferences): Preferences {
  try {
    const text = localStorage.getItem(storageName);
    if (text === null) return otherwise;
    const stored = JSON.parse(text);
    return {
      theme: themes.find((theme) => theme === stored.theme) ?? initial.theme,
      density: densities.find((density) => density === stored.density) ?? initial.density,
      absoluteTimes: stored.absoluteTimes === true,
      singleKeys: stored.singleKeys !== false,
      attentionFolded: stored.attentionFolded === true,
      hidden: textsIn(stored.hidden),
      production: Array.isArray(stored.production) ? textsIn(stored.production) : undefined,
      nameWidth: Number.isInteger(stored.nameWidth) ? stored.nameWidth : undefined,
      display: typeof stored.display === 'string' ? stored.display : '',
      presets: Array.isArray(stored.presets) ? presetsOf(stored.presets) : [],
      favourites: { services: textsIn(stored.favourites?.services), teams: textsIn(stored.favourites?.teams) },
      notifyFor: typeof stored.notifyFor === 'string' ? stored.notifyFor : undefined,
      firstSteps: stored.firstSteps === true,
    };
  } catch {
    return otherwise;
  }
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** Stores the preferences. They are lost if the browser can't store them (private mode, quota). */
function write(storageName: string, value: Preferences): void {
  try {
    localStorage.setItem(storageName, JSON.stringify(value));
  } catch {}
}
