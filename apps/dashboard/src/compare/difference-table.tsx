import { plain, releaseName } from '@shiplog/text';
import type { Ownership } from '../board/ownership.ts';
import { compareUrl, releaseNotesUrl } from '../board/repository.ts';
import type { EnvironmentOrStage } from '../board/stages.ts';
import { shortNames } from '../board/stages.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { ReleaseLink } from '../log/release-link.tsx';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { DayTime } from '../ui/day-time.tsx';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { AgeHead } from './age-filter.tsx';
import { alreadyIn, attemptIn, type Difference, kindCounts, relationWords, waitingSince } from './differences.ts';
import { Meanwhile } from './meanwhile.tsx';
import type { TeamItems } from './team-groups.ts';
import { TeamTable } from './team-table.tsx';

interface DifferenceTableProps {
  readonly teams: readonly TeamItems<Difference>[];
  readonly pair: ComparedPair;
  readonly ownership: Ownership;
}

export function DifferenceTable({ teams, pair, ownership }: DifferenceTableProps) {
  const [from, to] = [pair.from.name, pair.to.name];
  if (teams.length === 0) {
    return (
      <Empty title="Nothing to compare">
        <p>
          Nothing has succeeded in {plain(from)} or {plain(to)} that matches the filter.
        </p>
      </Empty>
    );
  }
  const head = ['Service', <bdi>{plain(from)}</bdi>, <bdi>{plain(to)}</bdi>, <IsHead to={to} />, <AgeHead />];
  return (
    <TeamTable
      label="Differences"
      className="differences"
      head={head}
      teams={teams}
      counts={countsOf}
      row={(item) => <DifferenceRow key={item.service} item={item} pair={pair} ownership={ownership} />}
      none="No services match."
    />
  );
}

function IsHead({ to }: { readonly to: string }) {
  return (
    <>
      <bdi>{plain(to)}</bdi> is
    </>
  );
}

function countsOf(all: readonly Difference[]): readonly [string, string] {
  const { same, differ } = kindCounts(all);
  return [
    differ === 0 ? '' : differ === 1 ? '1 differs' : `${differ} differ`,
    same === 0 ? '' : differ > 0 || same === 1 ? `${same} the same` : `all ${same} the same`,
  ];
}

interface ComparedPair {
  readonly from: EnvironmentOrStage;
  readonly to: EnvironmentOrStage;
  /** The comparison is for a past time, so no running or failed attempt is shown. */
  readonly isPast: boolean;
}

interface DifferenceRowProps {
  readonly item: Difference;
  readonly pair: ComparedPair;
  readonly ownership: Ownership;
}

const squaresMax = 8;

function DifferenceRow({ item, pair, ownership }: DifferenceRowProps) {
  const { from, to, isPast } = pair;
  const { connection, futureRows } = useApp();
  const row = useStore(connection.board)?.rows.get(item.service);
  const ahead = useStore(futureRows);
  const attempt = isPast || !row ? undefined : attemptIn(row, to.environments, ahead);
  const { service, relation, behind } = item;
  const shown = item.to ?? item.from;
  const since = waitingSince(item);
  const repository = ownership.items.get(service)?.repository;
  const notes = relation !== 'same' && item.from ? releaseNotesUrl(repository, item.from) : undefined;
  const [word, why] = relationWords(item, from.name, to.name);
  const already = alreadyIn(item, to.environments);
  const url = item.from && item.to && relation !== 'same' ? compareUrl(repository, item.to, item.from) : undefined;
  return (
    <tr>
      <td>
        <Link
          class="plain-link strong difference-service"
          to={{ slot: { service, environment: shown?.environment ?? to.name } }}
        >
          <Cut text={service} />
        </Link>
      </td>
      <td data-label={plain(from.name)}>
        {item.from ? <ReleaseLink event={item.from} /> : <span class="small">never deployed</span>}
        <Mixed item={item} side={from} />
      </td>
      <td data-label={plain(to.name)}>
        {item.to ? <ReleaseLink event={item.to} /> : <span class="small">nothing yet</span>}
        <Mixed item={item} side={to} />
        {attempt && <Meanwhile event={attempt} side={to} />}
      </td>
      <td>
        <b class={item.arriving ? 'run' : ''}>
          <Cut text={word} />
        </b>
        {behind !== null && (
          <span class="squares" aria-hidden="true">
            {Array.from({ length: Math.min(behind, squaresMax) }, (_, index) => (
              <i key={index} />
            ))}
          </span>
        )}
        {why && (
          <span class="small">
            <bdi>{plain(why)}</bdi>
          </span>
        )}
        {already.length > 0 && (
          <span class="small">
            <bdi>already in {plain(already.join(', '))}</bdi>
          </span>
        )}
      </td>
      <td class="small">
        {since && behind !== null && behind > 1 && 'oldest '}
        {since && (isPast ? <DayTime at={since} /> : <Time at={since} />)}
        {since && url && ' · '}
        {url && (
          <OuterLink url={url} label={`compare ${service}`}>
            compare
          </OuterLink>
        )}
        {notes && (since || url) && ' · '}
        {notes && (
          <OuterLink url={notes} label={`release notes of ${service}`}>
            notes
          </OuterLink>
        )}
      </td>
    </tr>
  );
}

/** The releases of a stage's environments if they differ: the oldest one is compared. */
function Mixed({ item, side }: { readonly item: Difference; readonly side: EnvironmentOrStage }) {
  const own = item.mixed?.filter(({ environment }) => side.environments.includes(environment)) ?? [];
  if (own.length === 0) return null;
  const short = shortNames(side.environments);
  return (
    <span class="small breaks">
      {plain(
        own
          .map(({ environment, ...release }) => `${short.get(environment) ?? environment} ${releaseName(release)}`)
          .join(' · '),
      )}
    </span>
  );
}
