import type { CatalogPreset } from '@shiplog/contract';
import { addressOf, searchOf } from './address.ts';

export interface Preset {
  readonly name: string;
  readonly search: string;
}

const nameLengthMax = 80;

/** The presets of the catalog, without unknown parameters. If two presets have the same name, the first is used. */
export function sharedPresets(presets: readonly CatalogPreset[]): Preset[] {
  const byName = new Map<string, Preset>();
  for (const { name, view, query } of presets) {
    const parameters = new URLSearchParams(query ?? '');
    if (view !== null) parameters.set('view', view);
    const preset = { name: name.slice(0, nameLengthMax), search: searchOf(addressOf(`?${parameters}`)) };
    if (!byName.has(preset.name)) byName.set(preset.name, preset);
  }
  return [...byName.values()];
}

/** Combines two lists, sorted by name. If a name occurs several times, the last preset is used. */
export function withPresets(presets: readonly Preset[], more: readonly Preset[]): Preset[] {
  const byName = new Map([...presets, ...more].map((preset) => [preset.name, preset]));
  return [...byName.values()].sort((left, right) => left.name.localeCompare(right.name));
}

export function presetsOf(list: readonly unknown[]): Preset[] {
  return list.flatMap((item) => {
    const { name, search } = (item ?? {}) as Partial<Record<keyof Preset, unknown>>;
    const isPreset = typeof name === 'string' && name !== '' && typeof search === 'string' && /^(\?|$)/.test(search);
    return isPreset ? [{ name: name.slice(0, nameLengthMax), search }] : [];
  });
}
