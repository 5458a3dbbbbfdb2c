import type { Release } from '@shiplog/contract';
import { plain, releaseName, shortSha } from '@shiplog/text';
import { OuterLink } from '../log/outer-link.tsx';
import { whereabouts } from '../log/whereabouts.ts';
import { releasePage } from '../state/address.ts';
import { Time } from '../ui/age.tsx';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import type { ColumnPosition } from './column-position.ts';
import { PipelineRow } from './pipeline-row.tsx';
import { ServicePromotions } from './service-promotions.tsx';
import type { ServiceStages, Stage } from './service-stages.ts';

/** The number of releases to request, enough to find the release of the row among newer releases. */
const releasesAsked = 20;
const othersShown = 3;

interface OpenedPipelineProps {
  readonly line: ServiceStages;
  readonly columns: readonly string[];
  readonly place: ColumnPosition | undefined;
}

/** The releases of the service, next to its promotions as a graph. */
export function OpenedPipeline({ line, columns, place }: OpenedPipelineProps) {
  const { service } = line;
  const releases = useReleases(service);
  const known = releases.kind === 'here' ? releases.value : [];
  return (
    <li class="full" data-service={service}>
      <PipelineRow line={{ ...line, stages: withReleases(line, known) }} isOpen />
      <ServicePromotions key={service} service={service} columns={columns} place={place}>
        <Facts line={line} />
        <Others line={line} releases={known} />
      </ServicePromotions>
    </li>
  );
}

function useReleases(service: string): Answer<readonly Release[]> {
  const { client } = useApp().connection;
  return useAnswer(
    async (signal) => (await client.listReleases({ query: { service, limit: releasesAsked }, signal })).body.items,
    [client, service],
    { touchedBy: (event) => event.service === service },
  );
}

function Facts({ line: { service, far } }: Pick<OpenedPipelineProps, 'line'>) {
  const { sha, actor, run_url, run_number } = far.event ?? {};
  return (
    <p class="wrap pipeline-facts small">
      {sha && (
        <span class="wrap">
          Commit <code>{plain(shortSha(sha))}</code>
        </span>
      )}
      {actor && (
        <span class="wrap">
          by <Cut text={actor} />
        </span>
      )}
      {run_url && <OuterLink url={run_url}>{run_number ? `Run ${plain(run_number)}` : 'Run'}</OuterLink>}
      <Link to={releasePage({ service })}>
        All releases of <bdi>{plain(service)}</bdi>
      </Link>
      <Link to={{ slot: { service, environment: far.environment } }}>
        History in <bdi>{plain(far.environment)}</bdi>
      </Link>
    </p>
  );
}

function Others({ line, releases }: Pick<OpenedPipelineProps, 'line'> & { readonly releases: readonly Release[] }) {
  const others = releases.filter((release) => releaseName(release) !== line.release).slice(0, othersShown);
  return (
    <ul class="other-releases small" aria-label="Other releases">
      {others.map((release) => (
        <li key={releaseName(release)} class="row firm">
          <Link to={releasePage({ service: release.service, release: release.version ?? release.sha ?? undefined })}>
            <Version text={releaseName(release)} />
          </Link>
          <Cut text={whereabouts(release)} />
          <Time at={release.last_at} />
        </li>
      ))}
    </ul>
  );
}

/**
 * Completes the stages of a row from the log: the board no longer shows all successes, failures and skipped stages.
 */
export function withReleases({ release, stages }: ServiceStages, releases: readonly Release[]): readonly Stage[] {
  const found = releases.find((each) => releaseName(each) === release);
  if (!found) return stages;
  return stages.map((stage) => {
    if (stage.mark !== 'newer' && stage.mark !== 'not') return stage;
    const event = Object.hasOwn(found.places, stage.environment) ? found.places[stage.environment]?.event : undefined;
    if (event?.status === 'failure') return { ...stage, mark: 'bad', event };
    if (stage.mark === 'newer') return event ? stage : { ...stage, mark: 'none', event: undefined };
    return event?.status === 'success' ? { ...stage, mark: 'newer', event } : stage;
  });
}
