import { mockLimits, neighbourPaths } from '@shiplog/companions';
import { endpoints, keyHeaders, type Status, statuses } from '@shiplog/contract';
import type { Logger } from 'pino';
import type { RunPlan } from './domain/run-plan.ts';

export interface TargetOptions {
  readonly writeApiUrl: string;
  readonly apiKey: string;
  /** How long the target may take to answer. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

type Events = readonly { readonly status: Status }[];

/** The program that the events are posted to. The program's OpenAPI document shows which events it will refuse. */
export class Target {
  readonly #options: TargetOptions;

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  /** The statuses of these events that the target does not accept; empty if its document lists none. Never rejects. */
  async refusedStatuses(events: Events, signal?: AbortSignal): Promise<readonly Status[]> {
    const used = new Set(events.map(({ status }) => status));
    // Every target accepts the mock's statuses, so scenarios that use no others need no request.
    if (mockLimits.ingestStatuses.filter((status) => used.has(status)).length === used.size) return [];
    const accepted = await this.#acceptedStatuses(signal);
    return accepted ? statuses.filter((status) => used.has(status) && !accepted.includes(status)) : [];
  }

  /** Logs a warning before a run if the target will refuse some of its events. */
  async warnOfRefusals({ scenario, events }: RunPlan, signal: AbortSignal): Promise<void> {
    const refused = await this.refusedStatuses(events, signal);
    if (refused.length === 0) return;
    const { writeApiUrl: target, logger } = this.#options;
    const count = countOf(events, refused);
    logger.warn(
      { scenario, target, statuses: refused },
      `the target refuses ${count} of the ${events.length} events: it does not accept ${refused.join(', ')}`,
    );
  }

  async #acceptedStatuses(signal?: AbortSignal): Promise<readonly unknown[] | undefined> {
    const { writeApiUrl, apiKey, timeoutMs } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${writeApiUrl}${neighbourPaths.targetDocument}`, {
        headers: { [keyHeaders.api]: apiKey },
        redirect: 'manual',
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      });
      return ingestStatuses(await response.json());
    } catch {
      return undefined;
    }
  }
}

export function countOf(events: Events, of: readonly Status[]): number {
  return events.filter(({ status }) => of.includes(status)).length;
}

/** The statuses in the ingest body of an OpenAPI document; `undefined` if it lists none. */
function ingestStatuses(document: unknown): readonly unknown[] | undefined {
  const { path, method } = endpoints.appendDeployment;
  const body = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
  const list = [...body, 'properties', 'status', 'enum'].reduce(
    (part, name) => resolved(document, part)?.[name],
    document as Part,
  ) as unknown;
  return Array.isArray(list) ? list : undefined;
}

type Part = { readonly [name: string]: Part } | undefined;

/** A part of the document after following up to `timesMax` references (JSON Pointers into the document). */
function resolved(document: unknown, part: Part, timesMax = 8): Part {
  const reference: unknown = part?.$ref;
  if (typeof reference !== 'string' || timesMax === 0) return part;
  const names = decodeURIComponent(reference).split('/').slice(1);
  const found = names.reduce(
    (inside, name) => inside?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    document as Part,
  );
  return resolved(document, found, timesMax - 1);
}
