import { compileGlobs, tokensOf } from './glob.ts';

/** A stage of the promotion order. */
export interface Stage {
  readonly name: string;
  /** As configured, for a stage of several environments. Any other stage is the environment with its name. */
  readonly globs?: readonly string[];
}

/** The limits of a promotion order that has a stage of several environments (stages.md 1.2 and 4.3). */
const stagesMax = 20;
const globsMax = 20;
const globLengthMax = 128;

/**
 * Parses a promotion order such as `dev,production=prod|prod-*` (stages.md 4.1). `mistake` completes a sentence that
 * begins with the text.
 */
export function parseStages(text: string): { readonly stages: readonly Stage[] } | { readonly mistake: string } {
  const stages = split(text, ',').flatMap((entry) => (entry.trim() === '' ? [] : stageIn(entry)));
  const mistake = mistakeIn(stages);
  return mistake === undefined ? { stages } : { mistake };
}

/** Stages that each consist of the environment with their name. */
export function plainStages(names: readonly string[]): Stage[] {
  return names.map((name) => ({ name }));
}

/** Finds the stage of an environment, ignoring case: the first that matches (stages.md 4.2). */
export function stageFinder(stages: readonly Stage[]): (environment: string) => Stage | undefined {
  const matchers = stages.map((stage) => ({ stage, matches: matcherOf(stage) }));
  return (environment) => matchers.find(({ matches }) => matches(environment.toLowerCase()))?.stage;
}

const prefix = 'stage:';

/** The name after `stage:`, which refers to a stage where an environment is expected (stages.md 4.8). */
export function stageNameIn(text: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

/** How to name a stage where an environment is expected. */
export function stageReference(name: string): string {
  return `${prefix}${name}`;
}

/** The stage with a name, ignoring case. */
export function stageNamed<Named extends { readonly name: string | null }>(
  stages: readonly Named[],
  name: string,
): Named | undefined {
  return stages.find((stage) => stage.name?.toLowerCase() === name.toLowerCase());
}

/** The parts between separators; a separator after a backslash belongs to its part. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  for (const token of tokensOf(text)) {
    if (token === separator) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
  }
  return parts;
}

function stageIn(entry: string): Stage {
  const [before = '', ...after] = split(entry, '=');
  const name = before.trim().replace(/\\([,=])/g, '$1');
  if (after.length === 0) return { name };
  return { name, globs: split(after.join('='), '|').map((glob) => glob.trim()) };
}

/** Matches names in lower case. */
function matcherOf({ name, globs }: Stage): (name: string) => boolean {
  if (!globs) return (other) => other === name.toLowerCase();
  return compileGlobs(globs.map((glob) => glob.toLowerCase()));
}

function mistakeIn(stages: readonly Stage[]): string | undefined {
  if (stages.length === 0)
    return 'it must be comma-separated environments in promotion order, such as dev,staging,prod';
  if (stages.some(({ globs }) => globs) && stages.length > stagesMax)
    return `it has ${stages.length} stages; with a stage of several environments, it must have at most ${stagesMax}`;
  for (const [at, stage] of stages.entries()) {
    const mistake = globMistakeIn(stage) ?? nameMistakeIn(stage, stages.slice(0, at));
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function nameMistakeIn(stage: Stage, earlier: readonly Stage[]): string | undefined {
  const quoted = JSON.stringify(stage.name);
  if (stage.name === '') return 'a stage has no name before "="; write it as name=glob|glob';
  if (stageNamed(earlier, stage.name))
    return `it must be comma-separated environments, each once, but ${quoted} appears twice (case is ignored)`;
  const other = stage.globs ? undefined : stageFinder(earlier)(stage.name);
  if (!other) return undefined;
  return `no environment can be in the stage ${quoted}, because the earlier stage ${JSON.stringify(other.name)} matches its name; list ${quoted} first or remove it`;
}

function globMistakeIn({ name, globs }: Stage): string | undefined {
  if (!globs) return undefined;
  const stage = `the stage ${JSON.stringify(name)}`;
  if (globs.length > globsMax) return `${stage} has ${globs.length} globs; it must have at most ${globsMax}`;
  if (globs.join('') === '') return `${stage} has no glob after "="; write it as name=glob|glob`;
  if (globs.includes('')) return `${stage} has an empty glob; write a glob on both sides of each "|"`;
  const long = globs.find((glob) => [...glob].length > globLengthMax);
  if (long !== undefined) return `${stage} has a glob with more than ${globLengthMax} characters; shorten it`;
  const bare = globs.find((glob) => tokensOf(glob).at(-1) === '\\');
  return (
    bare &&
    `${stage} has the glob ${JSON.stringify(bare)}, which ends in a single backslash; remove it or write it twice`
  );
}
