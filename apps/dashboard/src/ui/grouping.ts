import { grouped } from '@shiplog/text';
import { emptyBoard } from '../board/board.ts';
import { type BoardGrouping, groupingOf, groupNames } from '../board/groups.ts';
import { memoizeLast } from '../board/memoize.ts';
import { sharedPrefix } from '../board/names.ts';
import { useAddress, useBoard, useBoardContext } from './app.ts';

/** The grouping of the board: the viewer's choice, or the default. Only the layout Progress groups by progress. */
export function useGrouping(): BoardGrouping {
  const board = useBoard() ?? emptyBoard;
  const { ownership } = useBoardContext();
  const { group, layout } = useAddress().board;
  const isKnown = group !== 'progress' || layout === 'progress';
  return (isKnown ? group : undefined) ?? groupingOf(board.rows.keys(), ownership);
}

export type NameOf = ReturnType<typeof groupNames>;

/**
 * The group of each service, by its name. All services of the board determine it, so that a filter doesn't rename groups.
 */
export function useGroupNames(): NameOf {
  const board = useBoard() ?? emptyBoard;
  const { ownership } = useBoardContext();
  const grouping = useGrouping();
  const services = servicesOf([...board.rows.keys()].join('\n'));
  return namesOf(services, grouping === 'progress' ? 'none' : grouping, ownership);
}

const namesOf = memoizeLast(groupNames);

/** Returns the same array while the names are the same. */
const servicesOf = memoizeLast((names: string): readonly string[] => (names === '' ? [] : names.split('\n')));

/** The words that the names of a service's group begin with. */
export function usePrefixOf(): (service: string) => string {
  const board = useBoard() ?? emptyBoard;
  return prefixesOf(servicesOf([...board.rows.keys()].join('\n')), useGroupNames());
}

const prefixesOf = memoizeLast((services: readonly string[], nameOf: NameOf) => {
  const groups = grouped<string, string | undefined>(services, nameOf);
  const prefixes = new Map([...groups].map(([name, own]) => [name, sharedPrefix(own)]));
  return (service: string) => (nameOf(service) === undefined ? '' : (prefixes.get(nameOf(service)) ?? ''));
});
