import { type DeploymentEventIngest, headerNames } from '@shiplog/contract';
import { anEvent } from '@shiplog/testing';
import { post } from './posting.ts';

/**
 * Two catalogs for a log with `service-0` to `service-5`: the services of each team, and the team for all other
 * services.
 */
export const catalogs = {
  first: { teams: { core: [0, 1, 2], edge: [3, 4], leaving: [5] }, others: 'core' },
  second: { teams: { core: [1, 3, 5], edge: [0, 2, 4] }, others: 'edge' },
} as const;
type Name = keyof typeof catalogs;

export function textOf(name: Name): string {
  const { teams, others } = catalogs[name];
  const named = Object.entries(teams).flatMap(([team, numbers]) =>
    numbers.map((number: number) => ({ name: `service-${number}`, team })),
  );
  return JSON.stringify({
    services: [...named, { name: '*', team: others }],
    presets: [{ name, view: 'board', query: 'teams=core' }],
  });
}

/** An instance, the catalogs that were written to its file in order, and how many of them it has certainly loaded. */
export interface Instance {
  readonly url: string;
  readonly path: string;
  readonly written: Name[];
  taken: number;
}

const services = [0, 1, 2, 3, 4, 5];
const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
const period = `from=${day}&to=${day}T23:00:00Z`;

/** Rows on a past day. Service n has 2^n successes, so that a sum of successes identifies the services. */
export function history(): DeploymentEventIngest[] {
  return services.flatMap((number) => {
    const of = (fields: Partial<DeploymentEventIngest>) =>
      anEvent({ service: `service-${number}`, environment: 'prod', happened_at: `${day}T08:00:00Z`, ...fields });
    const successes = Array.from({ length: 2 ** number }, (_, n) => of({ version: `1.${n}` }));
    return [
      of({ status: 'failure', happened_at: `${day}T07:00:00Z` }),
      ...successes,
      of({ status: 'in-progress', happened_at: `${day}T09:00:00Z` }),
    ];
  });
}

/** The service names in a response. */
const namesIn = (items: readonly { readonly service: string | null }[]) => new Set(items.map(({ service }) => service));

interface Question {
  readonly path: string;
  /** The catalog with which the whole response is computed; `undefined` if no single catalog matches. */
  readonly nameOf: (body: Body) => Name | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of many calls, with only some members checked
type Body = any;

/** The catalog in which the team has exactly these services. */
function ofTeam(team: 'core' | 'leaving', names: ReadonlySet<string | null>): Name | undefined {
  return (Object.keys(catalogs) as Name[]).find((name) => {
    const teams: Readonly<Record<string, readonly number[]>> = catalogs[name].teams;
    const own = teams[team];
    return own?.length === names.size && own.every((number) => names.has(`service-${number}`));
  });
}

const core = (path: string, items: (body: Body) => { service: string }[]): Question => ({
  path: `${path}teams=core`,
  nameOf: (body) => ofTeam('core', namesIn(items(body))),
});

/** The services with this total number of successes. */
const summed = (count: number) =>
  new Set(services.filter((number) => (count >> number) % 2 === 1).map((number) => `service-${number}`));
const successesIn = (body: Body) => body.statuses.find((each: Body) => each.status === 'success')?.count ?? 0;

const questions: Readonly<Record<string, Question>> = {
  catalog: {
    path: '/api/catalog',
    nameOf: ({ items, presets }) => {
      const name = presets[0]?.name as Name;
      const teams = new Map<string, string>(
        Object.entries(catalogs[name].teams).flatMap(([team, numbers]) =>
          numbers.map((number: number) => [`service-${number}`, team] as const),
        ),
      );
      const isOfIt = (item: Body) => item.team === (teams.get(item.service) ?? catalogs[name].others);
      return items.every(isOfIt) ? name : undefined;
    },
  },
  counts: {
    path: `/api/analytics/status-distribution?${period}&teams=core`,
    nameOf: (body) => ofTeam('core', summed(successesIn(body))),
  },
  'counts of a team that is removed': {
    path: `/api/analytics/status-distribution?${period}&teams=leaving`,
    // The second catalog does not know the team.
    nameOf: (body) => ('statuses' in body ? ofTeam('leaving', summed(successesIn(body))) : 'second'),
  },
  incidents: core(`/api/analytics/incidents?${period}&`, ({ incidents }) => incidents),
  stability: core(`/api/analytics/stability?${period}&`, ({ slots }) => slots),
  evidence: core(`/api/analytics/evidence/deployment_frequency?${period}&limit=500&`, ({ items }) => items),
  differences: core('/api/environments/diff?from=prod&to=load&', ({ items }) => items),
  findings: core('/api/quality?kind=stuck&limit=500&', ({ findings }) => findings),
};

/**
 * Repeatedly sends one request to one instance, and checks each response against the catalogs that its file has had.
 */
export class Asker {
  readonly title: string;
  /** The responses that don't match any of the possible catalogs. */
  readonly faults: unknown[] = [];
  readonly statuses = new Set<number>();
  /** For each catalog, the ETag of the last response computed with it; `null` for an error, which has no ETag. */
  readonly told = new Map<string, string | null>();
  readonly #instance: Instance;
  readonly #question: Question;
  #last: { readonly etag: string; readonly name: string } | undefined;

  constructor(instance: Instance, title: string, question: Question) {
    this.#instance = instance;
    this.title = title;
    this.#question = question;
  }

  /** Makes one call with the last ETag received. A 304 counts as the response that had this ETag. */
  async ask(): Promise<void> {
    const { url, written, taken } = this.#instance;
    const last = this.#last;
    const response = await fetch(url + this.#question.path, {
      headers: last ? { [headerNames.ifNoneMatch]: last.etag } : {},
    });
    const text = await response.text();
    const possible: readonly string[] = written.slice(taken - 1);
    const { status } = response;
    this.statuses.add(status);
    const name = status === 304 ? last?.name : this.#nameOf(status, text);
    if (name === undefined || !possible.includes(name)) this.faults.push({ title: this.title, status, text, possible });
    if (status === 304 || name === undefined) return;
    const etag = response.headers.get('etag');
    this.told.set(name, etag);
    if (etag !== null) this.#last = { etag, name };
  }

  #nameOf(status: number, text: string): Name | undefined {
    const isAnswer = status === 200 || status === 422;
    return isAnswer ? this.#question.nameOf(JSON.parse(text)) : undefined;
  }
}

export function askersOf(instance: Instance): Asker[] {
  return Object.entries(questions).map(([title, question]) => new Asker(instance, title, question));
}

/** Posts today's events, both for services that are in the log and for others. */
export function poster({ url }: Instance) {
  const own = {
    posted: 0,
    refused: [] as number[],
    async post(): Promise<void> {
      const service = own.posted % 2 === 0 ? `service-${own.posted % 12}` : `later-${own.posted % 40}`;
      const event = anEvent({ service, environment: 'load', status: 'pending', happened_at: new Date().toISOString() });
      const { status } = await post(url, event);
      if (status === 201) own.posted += 1;
      else own.refused.push(status);
    },
  };
  return own;
}
