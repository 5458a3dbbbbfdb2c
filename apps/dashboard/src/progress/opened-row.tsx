import type { DeploymentEvent, MatrixRow, Release } from '@shiplog/contract';
import { grouped, plain, releaseName, shortSha, versionOf } from '@shiplog/text';
import { byTime, newestOf } from '../board/board.ts';
import { earlierLine, type Progress, progressOf, type ReleaseLine } from '../board/progress.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { releasePage } from '../state/address.ts';
import { Time } from '../ui/age.tsx';
import { useAnswer } from '../ui/answer.ts';
import { useApp, useBoardContext } from '../ui/app.ts';
import { Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { statusLabel } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';
import { ProgressRow, ReleaseRow, type RowLook } from './progress-row.tsx';

/** The number of releases to request, enough to find those of the row among newer ones. */
const releasesAsked = 20;
const earlierMax = 5;
const attemptsMax = 5;

interface OpenedRowProps extends RowLook {
  readonly row: MatrixRow;
  readonly progress: Progress;
  readonly environments: readonly string[];
  readonly prefix: string;
}

/** A service with its earlier releases on the same track, and the attempts of the release that leads. */
export function OpenedRow({ row, progress, environments, prefix, ...look }: OpenedRowProps) {
  const context = useBoardContext();
  const { service } = row;
  const leading = leadingOf(progress);
  const answer = useReleases(service, leading.far.event);
  const { releases, events } = answer.kind === 'here' ? answer.value : nothing;
  const known = (releases.length > 0 && progressOf(row, environments, context, releases)) || progress;
  const shown = new Set(known.lines.map(({ release }) => release));
  const earlier = releases.filter((release) => !shown.has(releaseName(release))).slice(0, earlierMax);
  return (
    <>
      <ProgressRow progress={known} prefix={prefix} isOpen {...look} />
      {earlier.map((release) => {
        const line = earlierLine(row, environments, context, release);
        return (
          <ReleaseRow key={line.release} line={line} {...look} isNewest={false} after={passedBy(line, releases)} />
        );
      })}
      {answer.kind === 'waiting' && <p class="progress-details small">Loading the releases …</p>}
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      {answer.kind !== 'waiting' && <Facts {...{ service, events }} line={leadingOf(known)} />}
    </>
  );
}

const nothing = { releases: [], events: [] } as const;

function leadingOf({ lines }: Progress): ReleaseLine {
  return lines.at(-1) ?? lines[0];
}

/** The newest releases of a service, and the events of one of them. */
function useReleases(service: string, event: DeploymentEvent | undefined) {
  const { client } = useApp().connection;
  const version = event && (event.version || event.sha);
  return useAnswer(
    async (signal) => {
      const [list, detail] = await Promise.all([
        client.listReleases({ query: { service, limit: releasesAsked }, signal }),
        version ? client.getRelease({ params: { service, version }, signal }) : undefined,
      ]);
      return { releases: list.body.items, events: detail?.body.events ?? [] };
    },
    [client, service, version],
    { touchedBy: (each) => each.service === service },
  );
}

/** ", passed by 2.9.4": the first release that succeeded where this one failed. */
function passedBy({ far }: ReleaseLine, releases: readonly Release[]): string {
  if (far.mark !== 'passed' || !far.event) return '';
  const { event: failed, environment } = far;
  const [next] = releases
    .flatMap(({ places }) => (Object.hasOwn(places, environment) ? (places[environment]?.event ?? []) : []))
    .filter((event) => event.status === 'success' && byTime(event, failed) > 0)
    .sort(byTime);
  return next ? `, passed by ${plain(versionOf(next))}` : '';
}

interface FactsProps {
  readonly service: string;
  readonly line: ReleaseLine;
  readonly events: readonly DeploymentEvent[];
}

function Facts({ service, line: { far }, events }: FactsProps) {
  const { environment } = far;
  const { sha, version, actor } = far.event ?? {};
  return (
    <p class="wrap progress-details small">
      {attemptsIn(events, environment).map(({ latest, number }) => (
        <span key={latest.deployment_id} class="attempt">
          Attempt {number} in <bdi>{plain(environment)}</bdi>: {statusLabel(latest.status)},{' '}
          <Time at={latest.happened_at} />
          {latest.run_url && ', '}
          {latest.run_url && (
            <OuterLink url={latest.run_url}>{latest.run_number ? `Run ${plain(latest.run_number)}` : 'Run'}</OuterLink>
          )}
        </span>
      ))}
      {sha && sha !== version && (
        <span>
          Commit <code>{plain(shortSha(sha))}</code>
        </span>
      )}
      {actor && (
        <span class="row gap-4">
          by <Cut text={actor} />
        </span>
      )}
      <Link to={{ slot: { service, environment } }}>
        History in <bdi>{plain(environment)}</bdi>
      </Link>
      <Link to={releasePage({ service })}>All releases</Link>
    </p>
  );
}

/** The last attempts to deploy to an environment, oldest first: the deployments with their last event. */
export function attemptsIn(events: readonly DeploymentEvent[], environment: string) {
  const own = events.filter((event) => event.environment === environment);
  return [...grouped(own, ({ deployment_id }) => deployment_id).values()]
    .flatMap((attempt) => newestOf(attempt) ?? [])
    .sort(byTime)
    .map((latest, index) => ({ latest, number: index + 1 }))
    .slice(-attemptsMax);
}
