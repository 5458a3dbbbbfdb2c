import type { Stage } from '@shiplog/text';

/** A stage as the service is configured with it, and its environments without globs, for the models. */
export interface PlainStage extends Stage {
  readonly has: (environment: string) => boolean;
}

/** A stage that is one environment. */
export function one(name: string): PlainStage {
  return { name, has: (environment) => environment.toLowerCase() === name.toLowerCase() };
}

/** A stage of several environments. */
export function several(name: string, globs: readonly string[], environments: RegExp): PlainStage {
  return { name, globs, has: (environment) => environments.test(environment) };
}

/** An environment belongs to the first stage that has it. */
export function stageOf(ladder: readonly PlainStage[], environment: string): PlainStage | undefined {
  return ladder.find(({ has }) => has(environment));
}

/** Promotion orders for the environments of `drawnEvent`: plain, and with a stage named like an outside environment. */
export const ladders: readonly (readonly PlainStage[])[] = [
  [one('dev'), one('staging'), one('PROD')],
  [
    one('dev'),
    several('elsewhere', ['*TA*', 'q?', 'nowhere'], /^(staging|qa)$/i),
    several('live', ['p?od', 'dev', 's*'], /^prod$/i),
  ],
];

/** The stages in a scope: a stage of several environments if it includes one of them in the log (stages.md 4.4). */
export function shownStages(
  ladder: readonly PlainStage[],
  logged: readonly { readonly environment: string }[],
  includes: (environment: string) => boolean,
): string[] {
  return ladder
    .filter((stage) => {
      if (!stage.globs) return includes(stage.name);
      return logged.some(({ environment }) => stageOf(ladder, environment) === stage && includes(environment));
    })
    .map(({ name }) => name);
}
