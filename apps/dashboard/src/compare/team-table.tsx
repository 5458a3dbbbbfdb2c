import { plain } from '@shiplog/text';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TeamItems } from './team-groups.ts';

interface TeamTableProps<Item> {
  readonly label: string;
  readonly className: string;
  readonly head: readonly ComponentChildren[];
  readonly teams: readonly TeamItems<Item>[];
  /** The texts at the start and end of a team's heading: the number of services that differ and that don't. */
  readonly counts: (all: readonly Item[]) => readonly [string, string];
  readonly row: (item: Item) => JSX.Element;
  /** The text that is shown if no team has anything to list. */
  readonly none: string;
}

/** A table with one foldable part for each team. */
export function TeamTable<Item>({ label, className, head, teams, counts, row, none }: TeamTableProps<Item>) {
  const [folded, setFolded] = useState<readonly string[]>([]);
  const hasTeams = teams.some(({ team }) => team !== undefined);
  return (
    <section class="card panel" aria-label={label}>
      <table class={`list by-team ${className}`}>
        <thead>
          <tr>
            {head.map((name, index) => (
              <th key={index}>{name}</th>
            ))}
          </tr>
        </thead>
        {teams.map(({ team, shown, all }) => {
          const name = team ?? 'No team';
          const isFolded = folded.includes(name);
          const toggle = () => setFolded(isFolded ? folded.filter((other) => other !== name) : [...folded, name]);
          return (
            <tbody key={name}>
              {hasTeams && (
                <TeamHead
                  name={plain(name)}
                  counts={counts(all)}
                  columns={head.length}
                  isFolded={isFolded}
                  onToggle={shown.length === 0 ? undefined : toggle}
                />
              )}
              {!isFolded && shown.map(row)}
            </tbody>
          );
        })}
      </table>
      {teams.every(({ shown }) => shown.length === 0) && <p class="small">{none}</p>}
    </section>
  );
}

interface TeamHeadProps {
  readonly name: string;
  readonly counts: readonly [string, string];
  readonly columns: number;
  readonly isFolded: boolean;
  /** Opens or folds the part; `undefined` = the part has nothing to fold. */
  readonly onToggle: (() => void) | undefined;
}

function TeamHead({ name, counts: [differ, same], columns, isFolded, onToggle }: TeamHeadProps) {
  return (
    <tr class="team-head">
      <th colSpan={columns} scope="rowgroup">
        <span class="row team-line">
          {onToggle ? (
            <button type="button" class="bare row" aria-expanded={!isFolded} onClick={onToggle}>
              <svg viewBox="0 0 16 16" class="mark" aria-hidden="true">
                <path class="line" d={isFolded ? 'M6 4l4 4-4 4' : 'M4 6l4 4 4-4'} />
              </svg>
              <b>{name}</b>
            </button>
          ) : (
            <b>{name}</b>
          )}
          <span>{differ}</span>
          <span class="space" />
          <span>{same}</span>
        </span>
      </th>
    </tr>
  );
}
