import type { Board } from '../board/board.ts';
import type { FutureRows } from '../board/future-rows.ts';
import type { Ownership } from '../board/ownership.ts';
import type { Stage } from '../board/stages.ts';
import type { Address } from '../state/address.ts';
import type { Preset } from '../state/presets.ts';
import type { CommandName } from '../ui/commands.ts';
import type { KnownNames, KnownRelease } from './known-names.ts';
import type { PaletteAction } from './palette-entries.ts';

export type HitGroup = 'Releases' | 'Ask' | 'Go to' | 'Nearest';

/** A search result of the palette. */
export interface Hit {
  readonly group: HitGroup;
  readonly id: string;
  readonly title: string;
  readonly isVersion: boolean;
  readonly after: string;
  readonly detail: string;
  readonly keys: readonly string[];
  readonly does: PaletteAction;
  readonly score: number;
}

export interface SearchInput {
  readonly board: Board;
  readonly names: KnownNames;
  /** The releases that the service returned for the same text. */
  readonly found: readonly KnownRelease[];
  readonly ownership: Ownership;
  /** The filter of the page, which the choice of an environment or a team narrows. */
  readonly filter: Address['filter'];
  /** The promotion order, production last. */
  readonly stages: readonly Stage[];
  readonly futureRows: FutureRows;
  readonly presets?: readonly Preset[];
  readonly nowMs: number;
  readonly isOffered: (command: CommandName) => boolean;
}

export function hit(group: HitGroup, id: string, title: string, does: Hit['does'], more: Partial<Hit> = {}): Hit {
  const defaults = { isVersion: false, after: '', detail: '', keys: [], score: 0 };
  return { ...defaults, group, id: `${group} ${id}`, title, does, ...more };
}

export function to(address: Partial<Address>): PaletteAction {
  return { to: { slot: undefined, ...address } };
}

export function question(title: string, address: Partial<Address>, score: number, detail = ''): Hit {
  return hit('Ask', title, title, to(address), { detail, score });
}
