import type { CatalogPreset } from '@shiplog/contract';
import { addressOf, searchOf } from './address.ts';

/** A view with a name: its query. */
export interface Preset {
  readonly name: string;
  readonly search: string;
}

const nameLengthMax = 80;

/**
 * The presets of the catalog, each as `?view=…&<query>` is read: what this page does not know in it is left out. Of two
 * with one name the first counts.
 */
export function sharedPresets(presets: readonly CatalogPreset[]): Preset[] {
  const byName = new Map<string, Preset>();
  for (const { name, view, query } of presets) {
    const asked = new URLSearchParams(query ?? '');
    if (view !== null) asked.set('view', view);
    const preset = { name: name.slice(0, nameLengthMax), search: searchOf(addressOf(`?${asked}`)) };
    if (!byName.has(preset.name)) byName.set(preset.name, preset);
  }
  return [...byName.values()];
}

/** Text of presets for a file, which `presetsIn` reads back. */
export function presetsText(presets: readonly Preset[]): string {
  return `${JSON.stringify({ shiplog_presets: presets }, undefined, 2)}\n`;
}

/**
 * The presets that a file holds.
 * @throws Error with a sentence where it holds none.
 */
export function presetsIn(text: string): Preset[] {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error('This file is no JSON; choose one that was exported here.');
  }
  const list = (found as { shiplog_presets?: unknown } | null)?.shiplog_presets;
  if (!Array.isArray(list)) throw new Error('This file holds no presets; choose one that was exported here.');
  return presetsOf(list);
}

/** Presets by their names, each once, the last one of a name. */
export function withPresets(presets: readonly Preset[], more: readonly Preset[]): Preset[] {
  const byName = new Map([...presets, ...more].map((preset) => [preset.name, preset]));
  return [...byName.values()].sort((left, right) => left.name.localeCompare(right.name));
}

/** The presets among some values; other values are left out. */
export function presetsOf(list: readonly unknown[]): Preset[] {
  return list.flatMap((item) => {
    const { name, search } = (item ?? {}) as Partial<Record<keyof Preset, unknown>>;
    const isPreset = typeof name === 'string' && name !== '' && typeof search === 'string' && /^(\?|$)/.test(search);
    return isPreset ? [{ name: name.slice(0, nameLengthMax), search }] : [];
  });
}
