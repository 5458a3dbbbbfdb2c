import type { Board } from '../board/board.ts';
import type { Ownership } from '../board/ownership.ts';
import type { Address } from '../state/address.ts';
import type { CommandName } from '../ui/commands.ts';
import type { Doing } from './doings.ts';
import type { KnownNames, KnownRelease } from './known-names.ts';

export type HitGroup = 'Releases' | 'Ask' | 'Go to';

/** Something that can be opened or done. */
export interface Hit {
  readonly group: HitGroup;
  readonly id: string;
  readonly title: string;
  /** The title is a version. */
  readonly isVersion: boolean;
  readonly beside: string;
  readonly detail: string;
  readonly keys: readonly string[];
  readonly does: Doing['does'];
  readonly score: number;
}

/** What is searched. */
export interface Searched {
  readonly board: Board;
  readonly names: KnownNames;
  /** What the service has found for the same text. */
  readonly found: readonly KnownRelease[];
  readonly ownership: Ownership;
  /** The environments of the ladder, production last. */
  readonly stages: readonly string[];
  readonly nowMs: number;
  /** Whether a command would do something where the page is. */
  readonly canAct: (command: CommandName) => boolean;
}

export function hit(group: HitGroup, id: string, title: string, does: Hit['does'], more: Partial<Hit> = {}): Hit {
  const rest = { isVersion: false, beside: '', detail: '', keys: [], score: 0 };
  return { ...rest, group, id: `${group} ${id}`, title, does, ...more };
}

export function to(address: Partial<Address>): Doing['does'] {
  return { to: { slot: undefined, ...address } };
}

/** A sentence that the page answers. */
export function ask(title: string, address: Partial<Address>, score: number, detail = ''): Hit {
  return hit('Ask', title, title, to(address), { detail, score });
}
