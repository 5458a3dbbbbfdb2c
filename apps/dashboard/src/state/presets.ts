/** A view with a name: its query. */
export interface Preset {
  readonly name: string;
  readonly search: string;
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
    return isPreset ? [{ name: name.slice(0, 80), search }] : [];
  });
}
