import { parse } from 'yaml';

/** A job of a run: one per matrix leg; jobs of a reusable workflow replace their caller. */
export interface Job {
  /** The key in the file; `caller / callee` for a job of a reusable workflow. Matrix legs share it. */
  readonly key: string;
  /** The name in the API: the job's name or key, with the leg in parentheses. */
  readonly name: string;
  /** Keys of the jobs that this job needs. */
  readonly needs: readonly string[];
  /** `undefined` if the job does not deploy, or if the environment is an expression. */
  readonly environment: string | undefined;
  /** The path of the file that defines it: for a job of a reusable workflow, that workflow's. */
  readonly file: string;
}

export interface WorkflowFile {
  readonly path: string;
  readonly yaml: string;
}

interface FileJob {
  readonly name?: unknown;
  readonly needs?: unknown;
  readonly uses?: unknown;
  readonly environment?: unknown;
  readonly strategy?: { readonly matrix?: unknown } | null;
}

/** How deep reusable workflows may be nested on GitHub. */
const callDepthMax = 4;
/** Without a limit, a small file could request any number of jobs. */
const jobsMax = 100;
const keySeparator = ' / ';

/** The first jobs of a workflow file, in file order. An unreadable file has none. */
export function jobsOf(workflow: WorkflowFile, all: readonly WorkflowFile[], depth = 0): Job[] {
  const jobs: Job[] = [];
  for (const [key, job] of Object.entries(fileJobs(workflow.yaml))) {
    if (jobs.length >= jobsMax) break;
    jobs.push(...expanded(key, job));
  }
  return jobs.slice(0, jobsMax);

  function expanded(key: string, job: FileJob): Job[] {
    const callee = typeof job.uses === 'string' ? all.find(({ path }) => `./${path}` === job.uses) : undefined;
    const own = ownJobs(key, job, workflow.path);
    if (!callee || depth >= callDepthMax) return own;
    const inner = jobsOf(callee, all, depth + 1);
    // A callee without jobs counts as one job, so the limit on jobs also limits how many files are read.
    if (inner.length === 0) return own;
    return own.flatMap((caller) =>
      inner.map((one) => ({
        ...one,
        key: `${key}${keySeparator}${one.key}`,
        name: `${caller.name}${keySeparator}${one.name}`,
        // A callee needs jobs of its own workflow; if it names none, it needs what its caller needs.
        needs: one.needs.length > 0 ? one.needs.map((need) => `${key}${keySeparator}${need}`) : caller.needs,
      })),
    );
  }
}

function fileJobs(yaml: string): Record<string, FileJob> {
  try {
    const file = parse(yaml) as { readonly jobs?: unknown } | null;
    const jobs = file?.jobs;
    if (typeof jobs !== 'object' || jobs === null) return {};
    return Object.fromEntries(Object.entries(jobs).filter(([, job]) => typeof job === 'object' && job !== null));
  } catch {
    return {};
  }
}

function ownJobs(key: string, job: FileJob, file: string): Job[] {
  const name = typeof job.name === 'string' ? job.name : key;
  const needs = [job.needs ?? []].flat().map(String);
  const environment = environmentOf(job.environment);
  return legsOf(job).map((leg) => ({
    key,
    name: leg.size === 0 ? name : `${name} (${[...leg.values()].join(', ')})`,
    needs,
    environment: environment && filledIn(environment, leg),
    file,
  }));
}

function environmentOf(environment: unknown): string | undefined {
  const named = typeof environment === 'object' ? (environment as { name?: unknown } | null)?.name : environment;
  return typeof named === 'string' ? named : undefined;
}

/** Every combination of the matrix lists; without a matrix, one empty leg. */
function legsOf({ strategy }: FileJob): Map<string, string>[] {
  const { include: _, exclude: __, ...lists } = Object(strategy?.matrix ?? {}) as Record<string, unknown>;
  return Object.entries(lists).reduce<Map<string, string>[]>(
    (legs, [name, values]) =>
      Array.isArray(values)
        ? legs
            .flatMap((leg) => values.slice(0, jobsMax).map((value) => new Map([...leg, [name, String(value)]])))
            .slice(0, jobsMax)
        : legs,
    [new Map()],
  );
}

function filledIn(text: string, leg: ReadonlyMap<string, string>): string | undefined {
  const filled = text.replace(/\$\{\{\s*matrix\.(\w+)\s*\}\}/g, (whole, name: string) => leg.get(name) ?? whole);
  return filled.includes('${{') ? undefined : filled;
}

/** The index of a deployment's job in its run: the matrix leg of its environment, or else the next leg. */
export function jobIndex(
  jobs: readonly Job[],
  { key, environment, turn }: { readonly key: string | undefined; readonly environment: string; readonly turn: number },
): number {
  const places = [...jobs.keys()];
  const candidates =
    key === undefined ? places : places.filter((at) => jobs[at]?.key === key || jobs[at]?.name === key);
  const there = candidates.filter((at) => jobs[at]?.environment === environment);
  return there[0] ?? (key === undefined ? candidates[0] : candidates[turn % candidates.length]) ?? -1;
}

/** The keys of the jobs that this job needs. A caller is replaced by all its callees. */
export function neededJobs(jobs: readonly Job[], job: Job): Job[] {
  return jobs.filter(({ key }) => job.needs.some((need) => key === need || key.startsWith(`${need}${keySeparator}`)));
}
