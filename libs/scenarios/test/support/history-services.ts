import { builtInDemoSet } from '../../src/index.ts';

/** A family of CI: what its deployment ids begin with, the run before the first of the history, and its pages. */
interface Pipeline {
  readonly family: string;
  readonly firstRun: number;
  readonly url: (service: string, run: string) => string;
}

export interface Service {
  readonly name: string;
  readonly pipeline: Pipeline;
  readonly actors: readonly [string, ...string[]];
  /** How often a pipeline does not say who started it. */
  readonly anonymous: number;
  readonly version: (release: number, hotfix: boolean) => string;
  readonly ref: (release: number) => string;
  /** The age in minutes at which the demo set goes on with this service. */
  readonly demoSetFrom: number | undefined;
}

const page = (path: (service: string, run: string) => string) => (service: string, run: string) =>
  `https://ci.example.com/${path(service, run)}`;
const pipelines = {
  gha: { family: 'gha', firstRun: 89_920, url: page((service, run) => `github/${service}/runs/${run}`) },
  gitlab: { family: 'gitlab', firstRun: 61_572, url: page((service, run) => `gitlab/${service}/pipelines/${run}`) },
  jenkins: { family: 'jenkins', firstRun: 3238, url: page((service, run) => `jenkins/job/${service}/${run}`) },
  azdo: { family: 'azdo', firstRun: 20_334, url: page((service, run) => `azure/${service}/builds/${run}`) },
  circleci: { family: 'circleci', firstRun: 731, url: page((service, run) => `circleci/${service}/workflows/${run}`) },
} as const satisfies Record<string, Pipeline>;

const main = () => 'refs/heads/main';

/** `<major>.<release>.0`, a hotfix with a last number of its own. */
function semantic(major: number, first: number): Service['version'] {
  return (release, hotfix) => `${major}.${first + release}.${hotfix ? 1 : 0}`;
}

function counted(first: number): Service['version'] {
  return (release) => String(first + release);
}

const own: readonly Omit<Service, 'demoSetFrom'>[] = [
  {
    name: 'checkout-api',
    pipeline: pipelines.gha,
    actors: ['mira', 'tobias', 'mira'],
    anonymous: 0,
    version: semantic(4, 0),
    ref: (release) => `refs/tags/v4.${release}.0`,
  },
  {
    name: 'payments-api',
    pipeline: pipelines.gitlab,
    actors: ['ines', 'kenji'],
    anonymous: 0,
    version: semantic(2, 0),
    ref: main,
  },
  {
    name: 'storefront-web',
    pipeline: pipelines.gha,
    actors: ['lucia', 'tobias', 'renovate[bot]'],
    anonymous: 0,
    version: counted(1160),
    ref: main,
  },
  {
    name: 'orders-worker',
    pipeline: pipelines.jenkins,
    actors: ['kenji', 'mira'],
    anonymous: 0.1,
    version: semantic(6, 20),
    ref: main,
  },
  {
    name: 'identity-service',
    pipeline: pipelines.azdo,
    actors: ['noor', 'noor', 'ines'],
    anonymous: 0,
    version: semantic(11, 30),
    ref: main,
  },
  {
    name: 'catalog-api',
    pipeline: pipelines.gitlab,
    actors: ['deploy-bot', 'lucia'],
    anonymous: 0,
    version: (release) => `2026.9.${release}+build.${4100 + release * 7}`,
    ref: (release) => `refs/heads/release/2026.9.${release}`,
  },
  {
    name: 'mobile-gateway',
    pipeline: pipelines.azdo,
    actors: ['ines', 'noor', 'sam'],
    anonymous: 0.1,
    version: semantic(3, 1),
    ref: main,
  },
  {
    name: 'pricing-engine',
    pipeline: pipelines.gha,
    actors: ['sam', 'priya', 'priya'],
    anonymous: 0,
    version: semantic(8, 3),
    ref: main,
  },
  {
    name: 'shipping-rates',
    pipeline: pipelines.gitlab,
    actors: ['priya', 'olek'],
    anonymous: 0,
    version: semantic(2, 40),
    ref: main,
  },
  {
    name: 'reviews-api',
    pipeline: pipelines.gha,
    actors: ['lucia', 'olek', 'renovate[bot]'],
    anonymous: 0,
    version: counted(310),
    ref: main,
  },
  {
    name: 'warehouse-sync',
    pipeline: pipelines.jenkins,
    actors: ['olek', 'kenji'],
    anonymous: 0.4,
    version: semantic(5, 11),
    ref: main,
  },
  {
    name: 'fraud-scorer',
    pipeline: pipelines.circleci,
    actors: ['priya', 'noor'],
    anonymous: 0,
    version: (release) => `model-2026-${String(release).padStart(3, '0')}`,
    ref: main,
  },
];

const demoEvents = builtInDemoSet().events;

export const services = own.map((service) => {
  const ages = demoEvents.filter((event) => event.service === service.name).map((event) => event.elapsed_minutes);
  return { ...service, demoSetFrom: ages.length > 0 ? Math.max(...ages) : undefined };
}) as [Service, ...Service[]];
