import { createHmac } from 'node:crypto';
import { fetcherEndpoints } from '@shiplog/companions';
import type { DeploymentEventIngest, OutageRequest } from '@shiplog/contract';
import { Api, createHttp } from '@shiplog/server';
import { type Answer, connections, exchange, TestClock, testLogger, type WireRequest } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { Received } from '../../src/adapter.ts';
import { githubActions } from '../../src/adapters/github/adapter.ts';
import { gitlab as gitlabAdapter } from '../../src/adapters/gitlab/adapter.ts';
import type { Change } from '../../src/change.ts';
import { parseConfig } from '../../src/config/config-file.ts';
import type { HookSettings } from '../../src/config/webhooks.ts';
import { addWebhooks, webhookRefusal } from '../../src/http/app.ts';
import type { LeftOut } from '../../src/webhooks/generic.ts';
import { type DeliverySink, openHooks } from '../../src/webhooks/hooks.ts';
import { Inbox } from '../../src/webhooks/inbox.ts';
import type { DeliverySource } from '../../src/webhooks/tool-delivery.ts';

/** The check that no test leaks secrets knows this secret. */
export const secret = 'secret-of-webhooks-1';

/** The log as webhooks use it. Accepts everything at once, or when the test allows it. */
export class TestSink implements DeliverySink {
  /** What was stored, as `hook service status` or `source id`. */
  readonly stored: string[] = [];
  readonly events: DeploymentEventIngest[] = [];
  readonly outages: OutageRequest[] = [];
  readonly hints: string[] = [];
  readonly leftOut: string[] = [];
  /** Posts that have begun. */
  begun = 0;
  /** Whether a hanging call ignores its signal, as if the request had already been sent. */
  isDeaf = false;
  #failure: Error | undefined;
  #held: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] | undefined;

  /** Makes later posts hang. */
  hold(): void {
    this.#held = [];
  }

  /** Ends hanging posts; later posts don't hang. */
  release(error?: Error): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { resolve, reject } of held) error ? reject(error) : resolve();
  }

  fail(error: Error | undefined): void {
    this.#failure = error;
  }

  postEvents(hook: string, events: readonly DeploymentEventIngest[], signal: AbortSignal): Promise<void> {
    return this.#post(
      events.map(({ service, status }) => `${hook} ${service} ${status}`),
      signal,
    ).then(() => {
      this.events.push(...events);
    });
  }

  async postOutages(_hook: string, rows: readonly OutageRequest[]): Promise<void> {
    this.outages.push(...rows);
  }

  postChanges(sourceId: string, changes: readonly Change[], signal: AbortSignal): Promise<void> {
    return this.#post(
      changes.map(({ id }) => `${sourceId} ${id}`),
      signal,
    );
  }

  hint(sourceId: string, place: string): void {
    this.hints.push(`${sourceId} ${place}`);
  }

  onLeftOut(hook: string, why: LeftOut): void {
    this.leftOut.push(`${hook} ${why}`);
  }

  async #post(names: readonly string[], signal: AbortSignal): Promise<void> {
    this.begun += 1;
    if (this.#failure) throw this.#failure;
    await new Promise<void>((resolve, reject) => {
      if (!this.#held) return resolve();
      this.#held.push({ resolve, reject });
      if (!this.isDeaf) signal.addEventListener('abort', () => reject(signal.reason));
    });
    this.stored.push(...names);
  }
}

export interface HookedOptions {
  /** The webhooks of a configuration file, as YAML below `webhooks:`. */
  readonly file?: string;
  readonly github?: readonly DeliverySource[];
  readonly gitlab?: readonly DeliverySource[];
  readonly gitlabSecrets?: { readonly webhookToken: string; readonly webhookSigningToken: string };
  readonly secretOf?: HookSettings['secretOf'];
  /** The member `issues` of the configuration file, as YAML. */
  readonly issues?: string;
}

/** A source with this function as `receive`. */
export function aSource(
  receive: () => Received | undefined | Promise<Received | undefined>,
  fields = {},
): DeliverySource {
  return { id: 'github-actions', isPolled: true, source: { receive: async () => receive() }, ...fields };
}

/** The webhooks in these settings, served over HTTP; time stands still. */
export async function hooked({
  file,
  github = [],
  gitlab = [],
  gitlabSecrets,
  secretOf = () => secret,
  issues: issuesText,
}: HookedOptions = {}) {
  const clock = new TestClock();
  const sink = new TestSink();
  const inbox = new Inbox(clock, testLogger(undefined));
  const results: string[] = [];
  const parts = [file && `webhooks:\n${file}`, issuesText && `issues: ${issuesText}`].filter(Boolean);
  const { webhooks: entries, issues } = parseConfig(['version: 1', ...parts].join('\n'), 'test.yaml', []);
  const tools = [githubActions, gitlabAdapter].flatMap(({ webhook }) => {
    const values = webhook?.name === 'github' ? { webhookSecret: secret } : { ...gitlabSecrets };
    return webhook ? [{ webhook, values }] : [];
  });
  const sourcesOf = (hook: string) => (hook === 'github' ? github : gitlab);
  const hooks = openHooks({ tools, entries, secretOf, issues }, { sourcesOf, sink, now: () => clock.now().getTime() });
  const served = { hooks, inbox, onDelivery: (hook: string, result: string) => void results.push(`${hook} ${result}`) };
  const app = await createHttp({ logger: testLogger(undefined), problemBase: '/problems' });
  const api = new Api(app, fetcherEndpoints, {
    refusal: webhookRefusal(served),
  });
  addWebhooks(api, served);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = connections();
  onTestFinished(async () => {
    agent.destroy();
    clock.end();
    await app.close();
  });
  const send = (hook: string, wire: Omit<WireRequest, 'path'>): Promise<Answer> =>
    exchange(url, { method: 'POST', path: `/webhooks/${hook}`, ...wire }, agent);
  return { clock, sink, inbox, results, url, send };
}

export function hexHmac(body: string | Uint8Array, key = secret): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

export interface GithubDelivery {
  readonly id?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A delivery signed as GitHub does it. */
export function aGithubDelivery({ id = 'delivery-1', body, headers = {} }: GithubDelivery = {}) {
  const text = body ?? JSON.stringify({ action: 'created', repository: { full_name: 'acme/shop' } });
  return {
    headers: {
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'deployment_status',
      'X-GitHub-Delivery': id,
      'X-Hub-Signature-256': `sha256=${hexHmac(text)}`,
      ...headers,
    },
    body: text,
  };
}

/** A webhook with templates, as in the configuration file. */
export const argo = `  - name: argocd
    auth: { type: token, header: X-Argo-Token, secret_env: ARGO_TOKEN }
    event: { deployment_id: "argo-{/id}", service: "{/app}", environment: prod, status: "{/phase}", happened_at: "{/at}" }
    statuses: { Succeeded: success }
`;

export const anArgoBody = { id: 1, app: 'shop', phase: 'Succeeded', at: '2026-05-04T09:00:00Z' };
export const argoHeaders = { 'X-Argo-Token': secret };
