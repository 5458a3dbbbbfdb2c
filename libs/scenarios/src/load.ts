import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoSet } from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import { placeOfJsonFault } from './json-place.ts';
import { readScenario, type Scenario } from './scenario.ts';

/** A scenario that cannot be had; the message names the file, the place in it, and what is expected there. */
export class ScenarioError extends Error {}

/** The scenarios that come along: `demo/data`, three folders up from the sources and from what is built of them. */
export const demoDataFolder = fileURLToPath(new URL('../../../demo/data', import.meta.url));

const ending = '.json';

/** @throws ScenarioError */
export function loadScenario(path: string): Scenario {
  const scenario = readScenario(basename(path, ending), parsed(textOf(path), path));
  if ('events' in scenario) return scenario;
  const [first, ...others] = scenario;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new ScenarioError(`${path}: ${first ? sentence(first) : 'is no scenario'}${more}`);
}

/**
 * Every scenario of a folder by its name, in the order of the names. The built-in one is always among them and wins
 * over a file of its name (reading 9.5). A fault costs one file, or, where the folder cannot be read, all of it.
 */
export function loadScenarios(folder: string, onFault: (fault: ScenarioError) => void): ReadonlyMap<string, Scenario> {
  const builtIn = `${demoSet.name}${ending}`;
  const names = new Set([builtIn, ...scenarioFiles(folder, onFault)]);
  const scenarios = new Map<string, Scenario>();
  for (const file of [...names].sort()) {
    const scenario = file === builtIn ? builtInDemoSet() : orFault(() => loadScenario(join(folder, file)), onFault);
    if (scenario) scenarios.set(scenario.name, scenario);
  }
  return scenarios;
}

/** @throws ScenarioError */
export function builtInDemoSet(): Scenario {
  return loadScenario(join(demoDataFolder, `${demoSet.name}${ending}`));
}

function scenarioFiles(folder: string, onFault: (fault: ScenarioError) => void): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(ending) && file !== ending);
  } catch (error) {
    onFault(new ScenarioError(`${folder} cannot be read as a folder of scenarios (${codeOf(error)})`));
    return [];
  }
}

function orFault(load: () => Scenario, onFault: (fault: ScenarioError) => void): Scenario | undefined {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    onFault(error);
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
    const { line, column } = placeOfJsonFault(text);
    throw new ScenarioError(`${path}: is not JSON at line ${line}, column ${column}`, { cause: error });
  }
}

function sentence({ pointer, message }: FieldError): string {
  return pointer === '' ? `the file ${message}` : `${pointer} ${message}`;
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
