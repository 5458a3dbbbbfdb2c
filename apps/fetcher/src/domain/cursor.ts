import { limits } from '@shiplog/contract';
import type { Json } from '../change.ts';
import { isCount } from './json.ts';

/** What is stored between cycles and processes (fetcher §6). */
export interface Cursor {
  /** The process that wrote it: a UUIDv7. */
  readonly owner: string;
  /** The requests that were charged in the window that ends at `resetEpoch`, in seconds. */
  readonly usage: { readonly resetEpoch: number; readonly charged: number };
  readonly memory: Json;
}

/** Memory in at most so many bytes of JSON leaves room for the rest of a cursor. */
export const memoryBytesMax = 8000;

const currentVersion = 1;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function cursorText({ owner, usage, memory }: Cursor): string {
  return JSON.stringify({ v: currentVersion, o: owner, u: [usage.resetEpoch, usage.charged], m: memory });
}

/** `undefined` for anything that `cursorText` does not write: it counts as absent. */
export function parseCursor(text: string): Cursor | undefined {
  const { v, o, u, m } = membersOf(text);
  if (v !== currentVersion || typeof o !== 'string' || !uuid.test(o) || m === undefined) return undefined;
  if (!Array.isArray(u) || u.length !== 2) return undefined;
  const [resetEpoch, charged]: readonly unknown[] = u;
  return isCount(resetEpoch) && isCount(charged) ? { owner: o, usage: { resetEpoch, charged }, memory: m } : undefined;
}

type Members = Readonly<Partial<Record<'v' | 'o' | 'u' | 'm', Json>>>;

function membersOf(text: string): Members {
  if (Buffer.byteLength(text) > limits.cursorBytes) return {};
  try {
    return (JSON.parse(text) as Members | null) ?? {};
  } catch {
    return {};
  }
}
