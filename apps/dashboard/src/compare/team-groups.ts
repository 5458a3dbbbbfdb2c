import { grouped } from '@shiplog/text';
import { type Ownership, teamOf } from '../board/ownership.ts';

/** The items of one team; `undefined` = without a team. */
export interface TeamItems<Item> {
  readonly team: string | undefined;
  /** The items that are listed. */
  readonly shown: readonly Item[];
  readonly all: readonly Item[];
}

/** Groups items by team in the given order. Teams with nothing to list come last, as do items without a team. */
export function teamGroups<Item extends { readonly service: string }>(
  items: readonly Item[],
  isShown: (item: Item) => boolean,
  ownership: Ownership,
): TeamItems<Item>[] {
  const groups = [...grouped(items, ({ service }) => JSON.stringify(teamOf(ownership, service) ?? null))];
  return groups
    .map(([key, all]) => ({ team: (JSON.parse(key) as string | null) ?? undefined, shown: all.filter(isShown), all }))
    .sort((one, other) => teamRank(one) - teamRank(other));
}

export function teamRank({ team, shown }: Pick<TeamItems<unknown>, 'team' | 'shown'>): number {
  return Number(shown.length === 0) * 2 + Number(team === undefined);
}
