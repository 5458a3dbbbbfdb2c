import type { Client } from '@shiplog/client';
import { escapeUnsafe } from '@shiplog/text';
import type { Context } from './context.ts';

/** The user waits for the completion. */
const timeoutMs = 1000;

type Source = (client: () => Promise<Client>, signal: AbortSignal) => Promise<readonly string[]>;

/** The values for `shiplog completion <kind>`: names in the log, and words of the API. */
const sources: Readonly<Record<string, Source>> = {
  services: async (client, signal) => (await (await client()).listServices({ signal })).body.items,
  environments: async (client, signal) => (await (await client()).listEnvironments({ signal })).body.items,
  figures: async () => (await import('@shiplog/contract')).evidenceFigures,
  kinds: async () => (await import('@shiplog/contract')).findingKinds,
  views: async () => (await import('./questions/links.ts')).views,
};

export function isValueKind(word: string): boolean {
  return Object.hasOwn(sources, word);
}

/** Prints one value per line. On failure it prints nothing, because an error would appear in the middle of the typed line. */
export async function printValues(kind: string, { client, out, signal }: Context): Promise<void> {
  try {
    const values = (await sources[kind]?.(() => client({ timeoutMs }), signal)) ?? [];
    // Names are user-supplied; one with control characters can't be typed either.
    for (const value of values) if (escapeUnsafe(value) === value) out.line(value);
  } catch {
    signal.throwIfAborted();
  }
}
