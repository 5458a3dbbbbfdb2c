import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoSet } from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import { jsonErrorPosition } from './json-error-position.ts';
import { readScenario, type Scenario } from './scenario.ts';

/** Thrown if a scenario can't be loaded. The message contains the file, the position, and what is expected there. */
export class ScenarioError extends Error {}

/** The scenarios of the repository, in `demo/data`. The path works from both `src` and `dist`. */
export const demoDataFolder = fileURLToPath(new URL('../../../demo/data', import.meta.url));

const ending = '.json';

/** @throws ScenarioError */
export function loadScenario(path: string): Scenario {
  const scenario = readScenario(basename(path, ending), parsed(textOf(path), path));
  if ('events' in scenario) return scenario;
  const [first, ...others] = scenario;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new ScenarioError(`${path}: ${first ? sentence(first) : 'is not a scenario'}${more}`);
}

/**
 * All scenarios in a folder by name, sorted by name. The built-in scenario is always included and replaces a file with
 * its name (reading 9.5). Files with errors are skipped; a folder that cannot be read counts as empty.
 */
export function loadScenarios(folder: string, onError: (error: ScenarioError) => void): ReadonlyMap<string, Scenario> {
  const builtIn = `${demoSet.name}${ending}`;
  const names = new Set([builtIn, ...scenarioFiles(folder, onError)]);
  const scenarios = new Map<string, Scenario>();
  for (const file of [...names].sort()) {
    const scenario = file === builtIn ? builtInDemoSet() : orReport(() => loadScenario(join(folder, file)), onError);
    if (scenario) scenarios.set(scenario.name, scenario);
  }
  return scenarios;
}

/** @throws ScenarioError */
export function builtInDemoSet(): Scenario {
  return loadScenario(join(demoDataFolder, `${demoSet.name}${ending}`));
}

function scenarioFiles(folder: string, onError: (error: ScenarioError) => void): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(ending) && file !== ending);
  } catch (error) {
    onError(new ScenarioError(`${folder} can't be read as a folder of scenarios (${codeOf(error)})`));
    return [];
  }
}

function orReport(load: () => Scenario, onError: (error: ScenarioError) => void): Scenario | undefined {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    onError(error);
    return undefined;
  }
}

function textOf(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new ScenarioError(`${path} cannot be read (${codeOf(error)})`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ScenarioError(`${path}: is not UTF-8`, { cause: error });
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column } = jsonErrorPosition(text);
    throw new ScenarioError(`${path}: is not JSON at line ${line}, column ${column}`, { cause: error });
  }
}

function sentence({ pointer, message }: FieldError): string {
  return pointer === '' ? `the file ${message}` : `${pointer} ${message}`;
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
