import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInDatasets, SeedData } from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server';
import { randomDataset } from './domain/random-dataset.ts';
import { seedFaults } from './domain/seed-faults.ts';

/** A dataset with errors; pointers are relative to the dataset. */
export class DatasetError extends Error {
  readonly errors: readonly FieldError[];

  constructor(message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.errors = errors;
  }
}

export interface DatasetRequest {
  readonly name: string;
  /** The folder of scenarios; datasets are the files `ci/*.json` in it. */
  readonly folder: string;
  /** The seed and the number of services of the random generator. */
  readonly seed: number;
  readonly count: number;
}

const builtInFile = fileURLToPath(new URL('../../../demo/data/ci/demo.json', import.meta.url));
const empty: SeedData = { repos: [], projects: [] };
const shapeErrors = compileValidator(SeedData);

/** @throws DatasetError if the name is unknown or the file has errors. */
export function readDataset({ name, folder, seed, count }: DatasetRequest): SeedData {
  if (name === 'empty') return empty;
  if (name === 'random') return randomDataset(count, seed);
  const known = datasetNames(folder);
  if (!known.includes(name)) throw new DatasetError(`is unknown; available: ${known.join(', ')}`);
  return readFile(name === 'demo' ? builtInFile : join(folder, 'ci', `${name}.json`));
}

/** @throws DatasetError with every error. */
export function checkedDataset(data: unknown): SeedData {
  const errors = shapeErrors(data);
  const faults = errors.length > 0 ? errors : seedFaults(data as SeedData);
  const [first] = faults;
  if (first) throw new DatasetError(`has an error: ${first.pointer} ${first.message}`, faults);
  return data as SeedData;
}

/** The built-in datasets, then the folder's files, valid or not. */
export function datasetNames(folder: string): readonly string[] {
  return [...new Set([...builtInDatasets, ...datasetFiles(folder)])];
}

/** The folder's invalid files with their errors. */
export function faultyDatasets(folder: string): (readonly [name: string, error: DatasetError])[] {
  return datasetFiles(folder).flatMap((name) => {
    try {
      readFile(join(folder, 'ci', `${name}.json`));
      return [];
    } catch (error) {
      if (error instanceof DatasetError) return [[name, error] as const];
      throw error;
    }
  });
}

/** A missing folder has no files. */
function datasetFiles(folder: string): string[] {
  try {
    const files = readdirSync(join(folder, 'ci')).filter((file) => file.endsWith('.json') && !file.startsWith('.'));
    return files.map((file) => file.slice(0, -'.json'.length)).sort();
  } catch {
    return [];
  }
}

function readFile(path: string): SeedData {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new DatasetError(`names the file ${path}, which cannot be read as JSON (${(error as Error).message})`);
  }
  return checkedDataset(content);
}
