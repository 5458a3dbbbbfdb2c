import type { BoardFacts } from '@shiplog/contract';
import { stageReference } from '@shiplog/text';
import { memoizeLast, memoizePer } from './memoize.ts';

/** A stage of the promotion order with its environments on the board. */
export interface Stage {
  readonly name: string;
  readonly environments: readonly string[];
  readonly isProduction: boolean;
}

/** An environment, or a stage of several. */
export interface EnvironmentOrStage {
  /** As in an address and a query. */
  readonly reference: string;
  /** As in a sentence. */
  readonly name: string;
  readonly environments: readonly string[];
}

export function fromEnvironment(name: string): EnvironmentOrStage {
  return { reference: name, name, environments: [name] };
}

/** A stage, or its only environment. */
export function fromStage({ name, environments }: Stage): EnvironmentOrStage {
  const [environment, ...others] = environments;
  if (environment !== undefined && others.length === 0) return fromEnvironment(environment);
  return { reference: stageReference(name), name, environments };
}

/** The stages as the service reports them; the environments outside the promotion order have the name `null`. */
export type ReportedStages = BoardFacts['stages'];

export interface Stages {
  /** The names of all stages in the promotion order, including those without environments. */
  readonly names: readonly string[];
  /** The stages with environments on the board, in the promotion order. */
  readonly all: readonly Stage[];
  /** The environments in a stage, in the promotion order. */
  readonly environments: readonly string[];
  readonly ofEnvironment: ReadonlyMap<string, Stage>;
  readonly production: ReadonlySet<string>;
  /** The environment if production is only one, otherwise the name of the stage; `undefined` = no production. */
  readonly productionName: string | undefined;
}

/** The stages of a service that reports only the names of its promotion order. */
export function namedStages(promotionOrder: readonly string[]): ReportedStages {
  return promotionOrder.map((name, index) => ({
    name,
    environments: [],
    production: index === promotionOrder.length - 1,
  }));
}

/**
 * The stages of a board. An environment that the service hasn't reported yet is in the stage with its name, ignoring
 * case. Without production on the board, `chosen` are the environments that the viewer counts as production.
 */
export const stagesOn = memoizeLast(
  (environments: readonly string[], reported: ReportedStages, chosen: readonly string[] = []): Stages => {
    const placed = new Map(reported.flatMap(({ name, environments: own }) => own.map((each) => [each, name] as const)));
    const stageNameOf = (environment: string) => {
      const known = placed.get(environment);
      if (known !== undefined) return known;
      return reported.find(({ name }) => name?.toLowerCase() === environment.toLowerCase())?.name ?? null;
    };
    const bySetting = reported.flatMap(({ name, production }) => {
      const own = name === null ? [] : environments.filter((each) => stageNameOf(each) === name);
      return name === null || own.length === 0 ? [] : [{ name, environments: own, isProduction: production }];
    });
    return stagesFrom(
      reported.flatMap(({ name }) => name ?? []),
      bySetting.some(({ isProduction }) => isProduction) ? bySetting : withChosen(bySetting, environments, chosen),
    );
  },
);

function withChosen(stages: readonly Stage[], environments: readonly string[], chosen: readonly string[]): Stage[] {
  const own = environments.filter((name) => chosen.includes(name));
  const others = stages.flatMap((stage) => {
    const left = stage.environments.filter((name) => !own.includes(name));
    return left.length > 0 ? [{ ...stage, environments: left }] : [];
  });
  return [...others, ...(own.length > 0 ? [{ name: 'production', environments: own, isProduction: true }] : [])];
}

function stagesFrom(names: readonly string[], all: readonly Stage[]): Stages {
  const last = all.find(({ isProduction }) => isProduction);
  return {
    names,
    all,
    environments: all.flatMap(({ environments }) => environments),
    ofEnvironment: new Map(all.flatMap((stage) => stage.environments.map((name) => [name, stage] as const))),
    production: new Set(last?.environments),
    productionName: last?.environments.length === 1 ? last.environments[0] : last?.name,
  };
}

/**
 * The names without the beginning that they share up to a separator: "prod-eu" and "prod-us" become "eu" and "us". A
 * name is never only a number: "qa-1" and "qa-2" stay whole.
 */
export const shortNames = memoizePer((environments: readonly string[]): ReadonlyMap<string, string> => {
  const parted = environments.filter((name) => /[-_.]/.test(name));
  const [first = ''] = parted;
  let shared = parted.length > 1 ? (/^.*[-_.]/.exec(first)?.[0] ?? '') : '';
  while (shared !== '' && !parted.every((name) => name.startsWith(shared) && name !== shared))
    shared = withoutLastWord(shared);
  if (parted.some((name) => /^\d+$/.test(name.slice(shared.length)))) shared = withoutLastWord(shared);
  return new Map(
    environments.map((name) => [name, shared !== '' && name.startsWith(shared) ? name.slice(shared.length) : name]),
  );
});

/** "acme.prod-" becomes "acme.", and "prod-" becomes empty. */
function withoutLastWord(beginning: string): string {
  return /^.*[-_.](?=.)/.exec(beginning)?.[0] ?? '';
}
