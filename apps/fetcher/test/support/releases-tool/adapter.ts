import type { Status } from '@shiplog/contract';
import { integerSetting, urlSetting } from '@shiplog/server';
import { Type } from 'typebox';
import { type Context, defineAdapter, type Source, type Step } from '../../../src/adapter.ts';
import type { Change, Json } from '../../../src/change.ts';
import { hookSecretSetting, listSetting, tokenSetting } from '../../../src/settings.ts';
import { tokenGuard } from '../../../src/tool/guards.ts';
import { Count, Instant, listReader, reader } from '../../../src/tool/shape.ts';

const statuses: Readonly<Record<string, Status>> = { rolling: 'in-progress', live: 'success', broken: 'failure' };

/** An invented tool: `GET /releases?after={id}` lists the releases of all applications, oldest first. */
export const releases = defineAdapter({
  kind: 'releases',
  settings: { webhookToken: hookSecretSetting('RELEASES_WEBHOOK_TOKEN') },
  places: { key: 'apps', setting: listSetting('RELEASES_APPS', 'names of applications', () => true) },
  tool: {
    baseUrl: urlSetting('RELEASES_BASE_URL', 'https://releases.example.com'),
    token: tokenSetting('RELEASES_TOKEN'),
    budgetPercent: integerSetting('RELEASES_BUDGET_PCT', { min: 1, max: 100, fallback: 30 }),
  },
  webhook: {
    name: 'releases',
    guards: ({ webhookToken }) => (webhookToken === undefined ? [] : [tokenGuard('X-Releases-Token', webhookToken)]),
    placePointer: '/app',
    idHeader: 'x-releases-delivery',
  },
  open: sourceOf,
});

/** A source whose memory is the greatest processed id. */
function sourceOf({ places, token, http: open, unknownStatus }: Context): Source {
  const headers = { authorization: `Bearer ${token}` };
  const http = open({ headers: async () => headers, rateOf: () => undefined, isCharged: () => true });
  let lookedMs: number | undefined;
  return {
    defaults: { service: ({ name = '' }) => name, version: '{version}' },
    begin: (_, memory) => memory ?? 0,
    startingAt: () => 0,
    fit: (memory) => memory,
    async *poll(memory, { signal }): AsyncIterable<Step> {
      for await (const { body } of http.pages(`/releases?after=${memory}`, signal, pickReleases)) {
        const wanted = body.filter(({ vars }) => places.includes(vars.name ?? ''));
        for (const { state } of wanted) if (!(state in statuses)) unknownStatus(state);
        yield { changes: wanted.flatMap(changesOf), memory: body.at(-1)?.order ?? memory };
      }
      lookedMs = http.now();
    },
    async *backfill() {},
    receive: async ({ body }) => {
      const release = pickRelease(body);
      const name = release.vars.name ?? '';
      return places.includes(name) ? { changes: changesOf(release), hints: [name] } : undefined;
    },
    figures: () => ({ open: 0, forbidden: [], failing: [], warnings: [], backfill: null, oldestPollMs: lookedMs }),
  };
}

type Release = Omit<Change, 'status'> & { readonly state: string };

const readRelease = reader(
  'release',
  Type.Object({
    ...{ id: Count, app: Type.String(), stage: Type.String(), version: Type.String(), state: Type.String() },
    at: Instant,
  }),
);

function pickRelease(body: unknown): Release {
  const { id, app: name, stage: environment, version, state, at } = readRelease(body);
  const vars = { adapter: 'releases', repo: name, name, environment, version };
  return { id: `release-${id}`, order: id, state, at, identity: 'instant', parents: [], vars };
}

const pickReleases = listReader('list of releases', pickRelease);

function changesOf({ state, ...change }: Release): Change[] {
  const status = statuses[state];
  return status === undefined ? [] : [{ ...change, status }];
}

/** A release as the tool sends it. */
export function aRelease(fields: Readonly<Record<string, Json>> = {}) {
  return { id: 1, app: 'shop', stage: 'prod', version: '1.2', state: 'live', at: '2026-05-04T09:00:00Z', ...fields };
}
