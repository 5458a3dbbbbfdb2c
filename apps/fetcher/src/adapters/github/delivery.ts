import { type Static, Type } from 'typebox';
import type { Delivery, Received } from '../../adapter.ts';
import type { Change } from '../../change.ts';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from '../../tool/refusals.ts';
import { Anything, absentOr, reader } from '../../tool/shape.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import {
  type Deployment,
  type DeploymentStatus,
  type Job,
  pickDeployment,
  pickJob,
  pickRun,
  pickStatus,
  type Run,
} from './api.ts';
import type { Discovery } from './discovery.ts';
import { endOf } from './run-reader.ts';
import { changeOf, meaningsOf, type Translator } from './translator.ts';

export interface GithubDelivery {
  /** `owner/name` as GitHub spells it. */
  readonly repo: string;
  /** If absent, the delivery is only a hint to poll the repository. */
  readonly content?: DeliveredStatus;
}

interface DeliveredStatus {
  readonly deployment: Deployment;
  readonly status: DeploymentStatus;
  /** The run as it was at the time of the delivery; `undefined` outside Actions. */
  readonly run: Run | undefined;
  readonly job: Job | undefined;
}

const hinting: ReadonlySet<string> = new Set(['deployment', 'deployment_review', 'workflow_run']);

/** `undefined` for irrelevant deliveries. @throws ShapeFault if the body doesn't match its event */
export function readDelivery({ headers, body }: Delivery): GithubDelivery | undefined {
  const event = headers['x-github-event'] ?? '';
  const isStatus = event === 'deployment_status';
  if (!isStatus && !hinting.has(event)) return undefined;
  const delivery = readBody(body);
  const repo = delivery.repository.full_name;
  return isStatus ? { repo, content: contentOf(delivery) } : { repo };
}

const DeliveryShape = Type.Object({
  repository: Type.Object({ full_name: Type.String() }),
  deployment: absentOr(Type.Object({})),
  deployment_status: Anything,
  check_run: Anything,
  workflow_run: Anything,
});

const readBody = reader('delivery', DeliveryShape);

function contentOf(delivery: Static<typeof DeliveryShape>): DeliveredStatus {
  const job = delivery.check_run ? pickJob(delivery.check_run) : undefined;
  const status = pickStatus(delivery.deployment_status);
  return {
    deployment: pickDeployment(delivery.deployment),
    status: job?.conclusion ? { ...status, jobConclusion: job.conclusion } : status,
    run: delivery.workflow_run ? pickRun(delivery.workflow_run) : undefined,
    job,
  };
}

/** The changes in the body alone, for a source that can't send requests: without parents and rejections. */
export function changesInBody(adapter: string, { repo, content }: GithubDelivery): Change[] {
  if (!content) return [];
  const { deployment, status, run, job } = content;
  return meaningsOf([status]).flatMap(({ meaning }) => {
    if (meaning === 'nothing' || meaning === 'unknown') return [];
    const end = meaning === 'failed' ? endOf(status.jobConclusion ?? run?.conclusion ?? '') : meaning;
    const known = { adapter, repo, deployment, status, run, job: job?.name ?? '' };
    return [changeOf({ ...known, meaning: end, parents: [] })];
  });
}

export interface ReceiverParts {
  /** The value of the variable `adapter` in changes. */
  readonly kind: string;
  readonly http: ToolHttp;
  readonly translator: Pick<Translator, 'changesOf'>;
  readonly discovery: Pick<Discovery, 'covers' | 'isIdle'>;
  /** Whether the source has credentials to request runs and parents. */
  readonly canAsk: boolean;
}

/**
 * Reads a delivery (fetcher §11); `undefined` if it concerns no repository of the source. @throws ShapeFault if it
 * doesn't match its event
 */
export async function receive(
  parts: ReceiverParts,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Received | undefined> {
  const read = readDelivery(delivery);
  if (!read) return { changes: [], hints: [] };
  const { discovery, kind } = parts;
  if (!discovery.covers(read.repo)) return undefined;
  const changes = await requestedChanges(parts, read, signal);
  if (changes) return { changes, hints: [] };
  // A source that isn't polled has only the body.
  return discovery.isIdle ? { changes: changesInBody(kind, read), hints: [] } : { changes: [], hints: [read.repo] };
}

/** `undefined` if polling must read the changes, because a verdict is pending or no request can be sent. */
async function requestedChanges(
  { http, translator, canAsk }: ReceiverParts,
  { repo, content }: GithubDelivery,
  signal: AbortSignal,
): Promise<readonly Change[] | undefined> {
  if (!content || !canAsk || !http.hasTurn) return undefined;
  try {
    const { changes, held } = await translator.changesOf(repo, content.deployment, [content.status], signal);
    return held ? undefined : changes;
  } catch (error) {
    if ([AuthFailed, PlaceRefused, SourcePaused, ToolAway].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
