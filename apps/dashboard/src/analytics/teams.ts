import { type DoraReport, limits } from '@shiplog/contract';
import { grouped, literalGlob } from '@shiplog/text';
import { useRef, useState } from 'preact/hooks';
import type { Board } from '../board/board.ts';
import type { BoardContext } from '../board/context.ts';
import { type Filter, wantsService } from '../board/filter.ts';
import { groupingOf, groupNames } from '../board/groups.ts';
import { type Scope, scopeOf } from '../board/scope.ts';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import type { Question } from './question.ts';

/** The services of a team of the catalog, or without a catalog those with a common name prefix. */
export interface Team {
  readonly name: string;
  readonly scope: Scope;
  /** The change of the filter that shows only this team. */
  readonly filter: Pick<Filter, 'services' | 'teams'>;
}

export interface Teams {
  readonly kind: 'team' | 'prefix' | 'none';
  readonly teams: readonly Team[];
  /** Whether some services of the scope belong to no team of the list. */
  readonly isPartial: boolean;
}

/** The teams with a service in the scope, by name; none unless there are two to compare. */
export function teamsIn(filter: Filter, board: Board, context: BoardContext): Teams {
  const all = [...board.rows.keys()];
  const kind = groupingOf(all, context.ownership);
  const nameOf = groupNames(all, kind, context.ownership);
  const services = all.filter((service) => wantsService(filter, service, context.ownership));
  const groups = grouped<string, string | undefined>(services, nameOf);
  const teams = [...groups].flatMap(([name, members]): Team[] => {
    if (name === undefined) return [];
    const narrowed =
      kind === 'team' ? { ...filter, teams: [name] } : { ...filter, services: globsOf(name, members, filter) };
    const scope = scopeOf(narrowed, board, context);
    return 'fault' in scope || scope.services === 0 ? [] : [{ name, scope, filter: narrowed }];
  });
  if (teams.length < 2) return { kind, teams: [], isPartial: false };
  const isPartial = [...groups.keys()].length > teams.length;
  return { kind, teams: teams.sort((one, other) => one.name.localeCompare(other.name)), isPartial };
}

/** All services with a prefix, or if other services are filtered out, the names of those that remain. */
function globsOf(prefix: string, members: readonly string[], { services, mine }: Filter): string[] {
  if ((services.length > 0 || mine) && members.length <= limits.globs) return members.map(literalGlob);
  const start = literalGlob(prefix);
  return [start, ...['-', '.', '_', '/'].map((separator) => `${start}${separator}*`)];
}

/** The number of teams whose figures are requested at once. */
const atOnce = 3;

export interface TeamReports {
  /** The reports that have arrived, by team. */
  readonly reports: ReadonlyMap<string, DoraReport>;
  readonly answer: Answer<unknown>;
}

interface Asked {
  readonly key: string;
  readonly periodEnd: string;
  missing: readonly Team[];
}

/** Requests the four keys of each team, a few teams at a time, until all have arrived or the view closes. */
export function useTeamReports(teams: readonly Team[], question: Question | undefined): TeamReports {
  const { client } = useApp().connection;
  const [reports, setReports] = useState<ReadonlyMap<string, DoraReport>>(new Map());
  const asked = useRef<Asked | undefined>(undefined);
  const key = JSON.stringify([question?.key, teams.map(({ scope }) => scope.query)]);
  const answer = useAnswer(
    async (signal) => {
      if (question === undefined) return;
      const { period } = question;
      // A period that ends now is requested again from time to time; the earlier figures stay until the new ones
      // arrive.
      if (asked.current?.key !== key) setReports(new Map());
      if (asked.current?.key !== key || asked.current.periodEnd !== period.to) {
        asked.current = { key, periodEnd: period.to, missing: teams };
      }
      const now = asked.current;
      let isFailed = false;
      const askNext = async () => {
        for (let [team, ...more] = now.missing; team; [team, ...more] = now.missing) {
          now.missing = more;
          const { name, scope } = team;
          try {
            const { body } = await client.getDora({ query: { ...period, ...scope.query }, signal });
            if (!signal.aborted) setReports((before) => new Map([...before, [name, body]]));
          } catch (error) {
            now.missing = [team, ...now.missing];
            isFailed = true;
            throw error;
          }
          if (signal.aborted || isFailed) return;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, askNext));
    },
    [key, question?.period.to],
  );
  return { reports, answer };
}
