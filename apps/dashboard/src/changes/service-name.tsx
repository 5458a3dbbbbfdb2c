import { plain } from '@shiplog/text';
import { type Board, emptyBoard } from '../board/board.ts';
import { memoizePer } from '../board/memoize.ts';
import { useBoard } from '../ui/app.ts';

/** A service name, with the beginning that it shares with others in grey. */
export function ServiceName({ name, prefix }: { readonly name: string; readonly prefix: string }) {
  return (
    <bdi class="cut shrink change-service" title={plain(name)}>
      {prefix !== '' && <span class="soft">{plain(prefix)}</span>}
      <b>{plain(name.slice(prefix.length))}</b>
    </bdi>
  );
}

/** A beginning is shared if at least this many names have it. */
const sharedMin = 3;

const prefixesOn = memoizePer(({ rows }: Board) => sharedPrefixes([...rows.keys()]));

/** The shared beginnings of the services on the board. */
export function usePrefixes(): ReadonlyMap<string, string> {
  return prefixesOn(useBoard() ?? emptyBoard);
}

/** The longest beginning of each name, in whole words, that at least three names share. */
export function sharedPrefixes(names: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const beginnings = (name: string) => [...name.matchAll(/[-._/](?=.)/g)].map(({ index }) => name.slice(0, index + 1));
  for (const name of new Set(names)) {
    for (const begin of beginnings(name)) counts.set(begin, (counts.get(begin) ?? 0) + 1);
  }
  return new Map(
    names.map((name) => [name, beginnings(name).findLast((begin) => (counts.get(begin) ?? 0) >= sharedMin) ?? '']),
  );
}
