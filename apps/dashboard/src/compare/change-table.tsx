import { plain } from '@shiplog/text';
import { useMemo } from 'preact/hooks';
import { dayTime } from '../board/day-time.ts';
import type { Ownership } from '../board/ownership.ts';
import { compareUrl } from '../board/repository.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { ReleaseLink } from '../log/release-link.tsx';
import { feedOf, home } from '../state/address.ts';
import { useAddress, useNow } from '../ui/app.ts';
import { DayTime } from '../ui/day-time.tsx';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { type Change, changeWords } from './changes.ts';
import { Meanwhile } from './meanwhile.tsx';
import { teamGroups } from './team-groups.ts';
import { TeamTable } from './team-table.tsx';

interface ChangeTableProps {
  readonly changes: readonly Change[];
  readonly earlier: string;
  /** Whether the later time is also in the past. */
  readonly isPast: boolean;
  readonly ownership: Ownership;
}

const listedMax = 500;

export function ChangeTable({ changes, earlier, isPast, ownership }: ChangeTableProps) {
  const isSame = useAddress().comparison.kind === 'same';
  const thenTime = dayTime(Date.parse(earlier), useNow());
  const of = useMemo(() => changes.filter(({ kind }) => (kind === 'same') === isSame), [changes, isSame]);
  const teams = useMemo(() => {
    const listed = new Set(of.slice(0, listedMax));
    return teamGroups(changes, (change) => listed.has(change), ownership);
  }, [changes, of, ownership]);
  if (changes.length === 0) {
    return (
      <Empty title="Nothing to compare">
        <p>No deployments match the filter.</p>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <TeamTable
        label="Changes"
        className="changes"
        head={['Service', 'Where', thenTime, isPast ? 'later' : 'now', 'What', 'When, who', 'Events']}
        teams={teams}
        counts={countsOf}
        row={(change) => (
          <ChangeRow
            key={JSON.stringify([change.service, change.environment])}
            {...{ change, earlier, thenTime, ownership }}
          />
        )}
        none={isSame ? 'Everything changed.' : `Nothing changed since ${thenTime}.`}
      />
      {of.length > listedMax && (
        <p class="small">
          Only the newest {listedMax} of {of.length} are listed; choose an environment or a team. Markdown and CSV have
          every change.
        </p>
      )}
    </div>
  );
}

function countsOf(all: readonly Change[]): readonly [string, string] {
  const same = all.filter(({ kind }) => kind === 'same').length;
  const changed = all.length - same;
  return [
    changed === 0 ? '' : `${changed} changed`,
    same === 0 ? '' : changed > 0 || same === 1 ? `${same} unchanged` : `all ${same} unchanged`,
  ];
}

interface ChangeRowProps {
  readonly change: Change;
  readonly earlier: string;
  /** The earlier time, as in the table head. */
  readonly thenTime: string;
  readonly ownership: Ownership;
}

function ChangeRow({ change, earlier, thenTime, ownership }: ChangeRowProps) {
  const { service, environment, kind, before, after, attempt, newest } = change;
  const url =
    kind === 'replaced' && before && after && compareUrl(ownership.items.get(service)?.repository, before, after);
  const filter = { ...home.filter, services: [service], environments: [environment] };
  return (
    <tr>
      <td>
        <Link class="plain-link strong difference-service" to={{ slot: { service, environment } }}>
          <Cut text={service} />
        </Link>
      </td>
      <td>
        <Cut text={environment} />
      </td>
      <td data-label={thenTime}>{before ? <ReleaseLink event={before} /> : <span class="small">nothing yet</span>}</td>
      <td data-label="now">
        {after ? <ReleaseLink event={after} /> : <span class="small">nothing yet</span>}
        {attempt && <Meanwhile event={attempt} />}
      </td>
      <td>
        <b class={kind === 'failed' ? 'bad-text' : kind === 'arriving' ? 'run' : ''}>{changeWords[kind]}</b>
        {url && (
          <span class="small">
            <OuterLink url={url} label={`compare ${service} in ${environment}`}>
              compare
            </OuterLink>
          </span>
        )}
      </td>
      <td class="small">
        {newest && <DayTime at={newest.happened_at} />}
        {newest?.actor && <span class="small">{plain(newest.actor)}</span>}
      </td>
      <td class="small">
        <Link
          to={{ ...feedOf({ since: earlier, filter }), asof: undefined }}
          aria-label={`Events of ${plain(service)} in ${plain(environment)} since ${thenTime}`}
        >
          events
        </Link>
      </td>
    </tr>
  );
}
