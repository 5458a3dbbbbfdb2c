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

/** The content of a presets file, which `presetsIn` reads back. */
export function presetsText(presets: readonly Preset[]): string {
  return `${JSON.stringify({ shiplog_presets: presets }, undefined, 2)}\n`;
}

/** @throws Error with a message to display, if the file has no presets. */
export function presetsIn(text: string): Preset[] {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("This file isn't JSON. Choose one that was exported here.");
  }
  const list = (found as { shiplog_presets?: unknown } | null)?.shiplog_presets;
  if (!Array.isArray(list)) throw new Error('This file has no presets. Choose one that was exported here.');
  return presetsOf(list);
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
