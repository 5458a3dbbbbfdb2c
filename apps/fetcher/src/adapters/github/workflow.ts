import { nestsTooDeep, refusedNames, withoutStacks } from '@shiplog/component';
import { Type } from 'typebox';
import { parseDocument } from 'yaml';
import { Anything, reader, ShapeFault } from '../../tool/shape.ts';

/** A job of a workflow, or of a reusable workflow that it calls. The legs of a matrix are one job. */
export interface WorkflowJob {
  /** Its key in the file; `caller / callee` for a job of a reusable workflow. */
  readonly key: string;
  /** Its possible names in the API, for each level of calls: its name and its key. */
  readonly levels: readonly (readonly string[])[];
  /** Keys of jobs; the key of a caller means all its callees. */
  readonly needs: readonly string[];
  /** `null` if only a run shows it, because of an expression or an unreadable workflow. */
  readonly environment: string | null | undefined;
  /** Whether it calls an unreadable workflow, which may contain any job. */
  readonly isOpaque: boolean;
}

const callsMax = 4;
/** More jobs than any run contains. Without a limit a small file could create any number of jobs. */
const jobsMax = 1000;
const aliasesMax = 100;
const nameLengthMax = 1000;
const separator = ' / ';
const workflowPath = /^\.github\/workflows\/[\w.-]+\.ya?ml$/;

interface FileJob {
  readonly key: string;
  readonly name: string | undefined;
  readonly needs: readonly string[];
  readonly environment: string | null | undefined;
  /** The path of the called workflow in this repository; empty for another repository. */
  readonly calls: string | undefined;
}

/**
 * The jobs of a workflow file; local reusable workflows replace their callers (fetcher §9.4). @param read returns the
 * text of a file in the repository, `undefined` if it doesn't exist @throws ShapeFault if the first file doesn't exist
 * or isn't a workflow
 */
export async function workflowJobs(
  path: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<WorkflowJob[]> {
  const files = new Map<string, FileJob[] | undefined>();
  const first = await file(path);
  if (!first) throw new ShapeFault(`can't read the workflow file ${path}`);
  const jobs: WorkflowJob[] = [];
  await expand(first, undefined, 0);
  return jobs;

  async function file(filePath: string): Promise<FileJob[] | undefined> {
    if (files.has(filePath)) return files.get(filePath);
    const text = workflowPath.test(filePath) ? await read(filePath) : undefined;
    const found = text === undefined ? undefined : fileJobs(text);
    files.set(filePath, found);
    return found;
  }

  async function expand(found: readonly FileJob[], caller: WorkflowJob | undefined, depth: number): Promise<void> {
    for (const one of found) {
      const job = placed(one, caller);
      const callee = one.calls === undefined || depth >= callsMax ? undefined : await file(one.calls);
      if (callee && callee.length > 0) await expand(callee, job, depth + 1);
      else if (jobs.push(job) > jobsMax) throw new ShapeFault(`the workflow has more than ${jobsMax} jobs`);
    }
  }
}

/** A callee waits for jobs of its own workflow or, if it names none, for the jobs that its caller waits for. */
function placed({ key, name, needs, environment, calls }: FileJob, caller: WorkflowJob | undefined): WorkflowJob {
  const names = name === undefined ? [key] : [name, key];
  const isOpaque = calls !== undefined;
  const own = { environment: isOpaque ? null : environment, isOpaque };
  if (!caller) return { key, levels: [names], needs, ...own };
  const inside = needs.map((need) => `${caller.key}${separator}${need}`);
  return {
    key: `${caller.key}${separator}${key}`,
    levels: [...caller.levels, names],
    needs: inside.length > 0 ? inside : caller.needs,
    ...own,
  };
}

function fileJobs(text: string): FileJob[] | undefined {
  try {
    if (nestsTooDeep(text)) return undefined;
    const document = withoutStacks(() => parseDocument(text, { prettyErrors: false, uniqueKeys: false }));
    const { errors, warnings } = document;
    if (
      errors.length > 0 ||
      refusedNames(document).length > 0 ||
      warnings.some(({ code }) => code === 'TAG_RESOLVE_FAILED')
    )
      return undefined;
    const { jobs } = readWorkflow(document.toJS({ maxAliasCount: aliasesMax }));
    return Object.entries(jobs).map(([key, job]) => fileJob(key, job));
  } catch {
    // Any error means that the file isn't a workflow.
    return undefined;
  }
}

const readWorkflow = reader('workflow', Type.Object({ jobs: Type.Record(Type.String(), Type.Unknown()) }));
const readFileJob = reader(
  'job of a workflow',
  Type.Object({ name: Anything, needs: Anything, uses: Anything, environment: Anything }),
);

function fileJob(key: string, job: unknown): FileJob {
  const { name, needs, uses, environment } = readFileJob(job);
  return {
    key,
    name: typeof name === 'string' && name.length <= nameLengthMax ? name : undefined,
    needs: [needs ?? []].flat().filter((need) => typeof need === 'string'),
    environment: environmentOf(environment),
    calls: typeof uses === 'string' ? (/^\.\/(.+)$/.exec(uses)?.[1] ?? '') : undefined,
  };
}

function environmentOf(environment: unknown): string | null | undefined {
  const isNamed = typeof environment === 'object' && environment !== null;
  const name = isNamed ? (environment as { readonly name?: unknown }).name : environment;
  if (typeof name !== 'string' || name === '') return undefined;
  return name.includes('${{') ? null : name;
}

export function neededBy(job: WorkflowJob, all: readonly WorkflowJob[]): WorkflowJob[] {
  return all.filter(({ key }) => job.needs.some((need) => key === need || key.startsWith(`${need}${separator}`)));
}

/** The jobs that a job name from the API may belong to: several if they match equally well. */
export function jobsNamed(name: string, all: readonly WorkflowJob[]): WorkflowJob[] {
  const fits = all.map((job) => ({ job, fit: fitOf(name, job) }));
  const best = Math.min(...fits.map(({ fit }) => fit));
  return best === Number.POSITIVE_INFINITY ? [] : fits.filter(({ fit }) => fit === best).map(({ job }) => job);
}

/** How well a name matches a job. 0: exactly; 1: with a leg of a matrix; higher: less certain; Infinity: not at all. */
function fitOf(name: string, job: WorkflowJob): number {
  if (name.length > nameLengthMax * (callsMax + 1)) return Number.POSITIVE_INFINITY;
  const fit = levelsFit(name, job.levels, job.isOpaque);
  return fit === Number.POSITIVE_INFINITY && matchesExpressions(name, job) ? 3 : fit;
}

function levelsFit(text: string, [names = [], ...inner]: WorkflowJob['levels'], isOpaque: boolean): number {
  const isLast = inner.length === 0;
  const fits = names.flatMap((name) => {
    if (!text.startsWith(name)) return [];
    const remaining = text.slice(name.length);
    if (isLast && remaining === '') return [0];
    if (isLast && remaining.startsWith(' (') && remaining.endsWith(')')) return [1];
    const below = afterSeparators(remaining);
    if (isLast) return isOpaque && below.length > 0 ? [2] : [];
    return below.map(({ text: next, fit }) => Math.max(fit, levelsFit(next, inner, isOpaque)));
  });
  return Math.min(Number.POSITIVE_INFINITY, ...fits);
}

/** The text after a name and an optional leg of a matrix, which may contain the separator. */
function afterSeparators(text: string): { text: string; fit: number }[] {
  if (text.startsWith(separator)) return [{ text: text.slice(separator.length), fit: 0 }];
  if (!text.startsWith(' (')) return [];
  const end = `)${separator}`;
  const found: { text: string; fit: number }[] = [];
  for (let at = text.indexOf(end); at >= 0 && found.length < 20; at = text.indexOf(end, at + 1))
    found.push({ text: text.slice(at + end.length), fit: 1 });
  return found;
}

/** Expressions in a name match any text. */
function matchesExpressions(text: string, { levels }: WorkflowJob): boolean {
  const pieces = levels
    .map(([name = '']) => name)
    .join(separator)
    .split(/\$\{\{[^}]*\}\}/);
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
