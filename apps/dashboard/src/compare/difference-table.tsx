import type { DeploymentEvent } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, releaseName, versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import type { Ownership } from '../board/ownership.ts';
import { compareUrl, releaseNotesUrl } from '../board/repository.ts';
import { type EnvironmentOrStage, shortNames } from '../board/stages.ts';
import { toggled } from '../board/toggled.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { ReleaseLink } from '../log/release-link.tsx';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useAddress, useApp } from '../ui/app.ts';
import { DayTime } from '../ui/day-time.tsx';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { AgeHead } from './age-filter.tsx';
import {
  alreadyIn,
  attemptIn,
  type Difference,
  relationWords,
  type TeamItems,
  teamCounts,
  waitingSince,
} from './differences.ts';
import type { Pair } from './sides.ts';

interface DifferenceTableProps {
  readonly teams: readonly TeamItems[];
  readonly pair: ComparedPair;
  readonly ownership: Ownership;
}

/** The services of each team, in foldable parts. */
export function DifferenceTable({ teams, pair, ownership }: DifferenceTableProps) {
  const { kind } = useAddress().comparison;
  const [folded, setFolded] = useState<readonly string[]>([]);
  const [from, to] = [plain(pair.from.name), plain(pair.to.name)];
  const hasTeams = teams.some(({ team }) => team !== undefined);
  if (teams.length === 0) {
    return (
      <Empty title="Nothing to compare">
        <p>
          Nothing has succeeded in {from} or {to} that matches the filter.
        </p>
      </Empty>
    );
  }
  return (
    <section class="card panel" aria-label="Differences">
      <table class="list by-team differences">
        <thead>
          <tr>
            <th>Service</th>
            <th>
              <bdi>{from}</bdi>
            </th>
            <th>
              <bdi>{to}</bdi>
            </th>
            <th>
              <bdi>{to}</bdi> is
            </th>
            <AgeHead />
          </tr>
        </thead>
        {teams.map((items) => {
          const { team, shown } = items;
          const name = team ?? 'No team';
          const isFolded = folded.includes(name);
          const toggle = () => setFolded(toggled(folded, name));
          return (
            <tbody key={name}>
              {hasTeams && (
                <TeamHead
                  name={plain(name)}
                  counts={teamCounts(items, kind)}
                  isFolded={isFolded}
                  onToggle={shown.length === 0 ? undefined : toggle}
                />
              )}
              {!isFolded &&
                shown.map((item) => <DifferenceRow key={item.service} item={item} pair={pair} ownership={ownership} />)}
            </tbody>
          );
        })}
      </table>
      {teams.every(({ shown }) => shown.length === 0) && <p class="small">No services match.</p>}
    </section>
  );
}

interface TeamHeadProps {
  readonly name: string;
  /** The texts at the start and end of the heading. */
  readonly counts: readonly [string, string];
  readonly isFolded: boolean;
  /** Opens or folds the part; `undefined` = the part has nothing to fold. */
  readonly onToggle: (() => void) | undefined;
}

function TeamHead({ name, counts, isFolded, onToggle }: TeamHeadProps) {
  return (
    <tr class="team-head">
      <th colSpan={5} scope="rowgroup">
        <span class="row team-line">
          {onToggle ? (
            <button type="button" class="bare row" aria-expanded={!isFolded} onClick={onToggle}>
              <Mark shape="chevron" />
              <b>{name}</b>
            </button>
          ) : (
            <b>{name}</b>
          )}
          <span>{counts[0]}</span>
          <span class="space" />
          <span>{counts[1]}</span>
        </span>
      </th>
    </tr>
  );
}

interface ComparedPair extends Pair {
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

/** A later attempt: "7.2.0 failed 12 min", in a stage "7.2.0 arriving in prod-us 3 min". */
function Meanwhile({ event, side }: { readonly event: DeploymentEvent; readonly side: EnvironmentOrStage }) {
  const isFailed = event.status === 'failure';
  return (
    <span class={`small meanwhile ${isFailed ? 'bad' : 'run'}`}>
      <Version text={versionOf(event)} /> <b>{isFailed ? 'failed' : 'arriving'}</b>{' '}
      {side.environments.length > 1 && plain(`in ${event.environment} `)}
      <Time at={event.happened_at} />
    </span>
  );
}
