import { type Static, Type } from 'typebox';
import type { Delivery, Received } from '../../adapter.ts';
import type { Change, Json } from '../../change.ts';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from '../../tool/refusals.ts';
import { Anything, absentOr, reader, textOrEmpty } from '../../tool/shape.ts';
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
import { endOf } from './asked-run.ts';
import type { Discovery } from './discovery.ts';
import { changeOf, meaningsOf, type Translator } from './translator.ts';

export interface GithubDelivery {
  readonly repository: {
    readonly fullName: string;
    /** The base URL of its API, such as `https://api.github.com`; may be empty. */
    readonly apiUrl: string;
  };
  /** A deployment status. Without it the delivery is only a hint to poll the repository. */
  readonly told?: Told;
}

export interface Told {
  readonly deployment: Deployment;
  readonly status: DeploymentStatus;
  /** At the time of the delivery; `undefined` without Actions. */
  readonly run: Run | undefined;
  readonly job: Job | undefined;
}

const hinting: ReadonlySet<string> = new Set(['deployment', 'deployment_review', 'workflow_run']);

/**
 * `undefined` for irrelevant deliveries.
 *
 * @param headers names in lower case
 * @throws ShapeFault if the body doesn't match its event
 */
export function readDelivery(
  headers: Readonly<Record<string, string | undefined>>,
  body: Json,
): GithubDelivery | undefined {
  const event = headers['x-github-event'] ?? '';
  const isTelling = event === 'deployment_status';
  if (!isTelling && !hinting.has(event)) return undefined;
  const delivery = readBody(body);
  const repository = repositoryOf(delivery);
  return isTelling ? { repository, told: toldBy(delivery) } : { repository };
}

const DeliveryShape = Type.Object({
  repository: Type.Object({ full_name: Type.String(), url: Anything }),
  deployment: absentOr(Type.Object({ repository_url: Anything })),
  deployment_status: Anything,
  check_run: Anything,
  workflow_run: Anything,
});

const readBody = reader('delivery', DeliveryShape);

function repositoryOf({ repository, deployment }: Static<typeof DeliveryShape>): GithubDelivery['repository'] {
  const url = textOrEmpty(repository.url) || textOrEmpty(deployment?.repository_url);
  return { fullName: repository.full_name, apiUrl: /^(.+?)\/repos\//.exec(url)?.[1] ?? '' };
}

function toldBy(delivery: Static<typeof DeliveryShape>): Told {
  const job = delivery.check_run ? pickJob(delivery.check_run) : undefined;
  const status = pickStatus(delivery.deployment_status);
  return {
    deployment: pickDeployment(delivery.deployment),
    status: job?.conclusion ? { ...status, jobConclusion: job.conclusion } : status,
    run: delivery.workflow_run ? pickRun(delivery.workflow_run) : undefined,
    job,
  };
}

/**
 * The changes of a delivery by its body alone, for a source that can't send requests: without parents, rejections and
 * superseded deployments.
 */
export function changesTold(adapter: string, { repository, told }: GithubDelivery): Change[] {
  if (!told) return [];
  const { deployment, status, run, job } = told;
  return meaningsOf([status]).flatMap(({ meaning }) => {
    if (meaning === 'nothing' || meaning === 'unknown') return [];
    const end = meaning === 'failed' ? endOf(status.jobConclusion ?? run?.conclusion ?? '') : meaning;
    const known = { adapter, repo: repository.fullName, deployment, status, run, job: job?.name ?? '' };
    return [changeOf({ ...known, meaning: end, parents: [] })];
  });
}

export interface ReceiverOptions {
  /** The variable `adapter` of changes. */
  readonly kind: string;
  readonly http: ToolHttp;
  readonly translator: Pick<Translator, 'changesOf'>;
  readonly discovery: Pick<Discovery, 'covers' | 'isIdle'>;
  /** Whether there are credentials to request runs and parents. */
  readonly canAsk: boolean;
}

export class Receiver {
  readonly #options: ReceiverOptions;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /**
   * `undefined` if it is about no repository of the source.
   * @throws ShapeFault if it doesn't match its event
   */
  async receive({ headers, body }: Delivery, signal: AbortSignal): Promise<Received | undefined> {
    const delivery = readDelivery(headers, body);
    if (!delivery) return { changes: [], hints: [] };
    const { discovery } = this.#options;
    const { fullName } = delivery.repository;
    if (!discovery.covers(fullName)) return undefined;
    const changes = await this.#changesOf(delivery, signal);
    if (changes) return { changes, hints: [] };
    // Without polling there is only the body.
    return discovery.isIdle
      ? { changes: changesTold(this.#options.kind, delivery), hints: [] }
      : { changes: [], hints: [fullName] };
  }

  /** `undefined` if polling must find out, because a verdict is pending or the tool can't be asked now. */
  async #changesOf({ repository, told }: GithubDelivery, signal: AbortSignal): Promise<readonly Change[] | undefined> {
    const { http, translator, canAsk } = this.#options;
    if (!told || !canAsk || !http.hasTurn) return undefined;
    try {
      const { deployment, status } = told;
      const { changes, held } = await translator.changesOf(repository.fullName, deployment, [status], signal);
      return held ? undefined : changes;
    } catch (error) {
      if ([AuthFailed, PlaceRefused, SourcePaused, ToolAway].some((kind) => error instanceof kind)) return undefined;
      throw error;
    }
  }
}
