import { type Static, Type } from 'typebox';
import { Anything, absentOr, listReader, reader, textOrEmpty } from '../../tool/shape.ts';

export interface PipelineGraph {
  readonly stages: readonly string[];
  readonly jobs: ReadonlyMap<string, PipelineJob>;
}

export interface PipelineJob {
  readonly stage: string;
  /** Absent for a job that waits for all earlier stages. */
  readonly needs?: readonly string[];
}

export interface Made {
  readonly id: number;
  readonly job: string;
}

export interface JobsPage extends PipelineGraph {
  /** The cursor of the next page; `undefined` at the end. */
  readonly after: string | undefined;
}

/** The body of the query (fetcher §15.8); `after` is the end of the previous page. */
export function jobsQuery(fullPath: string, iid: number, after?: string) {
  return {
    operationName: 'ShiplogPipelineJobs',
    query: `query ShiplogPipelineJobs($fullPath: ID!, $iid: ID!, $after: String) {
  project(fullPath: $fullPath) { pipeline(iid: $iid) {
    stages { nodes { name } }
    jobs(first: 100, after: $after) {
      nodes { id name schedulingType stage { name } needs { nodes { name } } }
      pageInfo { hasNextPage endCursor }
    }
  } }
}`,
    variables: { fullPath, iid: String(iid), ...(after !== undefined && { after }) },
  };
}

const Connection = absentOr(Type.Object({ nodes: Anything }));

const readAnswer = reader(
  'answer to a query',
  Type.Object({
    data: Type.Object({
      project: absentOr(
        Type.Object({
          pipeline: absentOr(
            Type.Object({
              stages: Connection,
              jobs: Type.Object({
                nodes: Anything,
                pageInfo: absentOr(Type.Object({ hasNextPage: Anything, endCursor: Anything })),
              }),
            }),
          ),
        }),
      ),
    }),
  }),
);
const readNames = listReader('list of nodes', reader('node', Type.Object({ name: Type.String() })));
const readJobs = listReader(
  'list of jobs',
  reader(
    'job',
    Type.Object({
      name: Type.String(),
      schedulingType: Anything,
      stage: absentOr(Type.Object({ name: Anything })),
      needs: Connection,
    }),
  ),
);
const readCursor = reader('endCursor', Type.String());

/** `undefined` if GitLab doesn't show the pipeline. @throws ShapeFault, for example for a response with errors */
export function pickJobsPage(body: unknown): JobsPage | undefined {
  const pipeline = readAnswer(body).data.project?.pipeline;
  if (!pipeline) return undefined;
  const { stages, jobs } = pipeline;
  return {
    stages: namesOf(stages),
    jobs: new Map(readJobs(jobs.nodes ?? []).map((job) => [job.name, pipelineJobOf(job)])),
    after: jobs.pageInfo?.hasNextPage === true ? readCursor(jobs.pageInfo.endCursor) : undefined,
  };
}

function pipelineJobOf(job: ReturnType<typeof readJobs>[number]): PipelineJob {
  const needs = namesOf(job.needs);
  // `needs: []` waits for nothing; only this member distinguishes it from a job without `needs`.
  const isFree = job.schedulingType === 'dag';
  return { stage: textOrEmpty(job.stage?.name), ...((isFree || needs.length > 0) && { needs }) };
}

function namesOf(connection: Static<typeof Connection> | undefined): string[] {
  return readNames(connection?.nodes ?? []).map(({ name }) => name);
}

/**
 * The ids of the deployments that a job's deployment was promoted from (fetcher §10.4): follows dependencies from its
 * job through jobs without a deployment in `made` to those with one, and uses the newest deployment of each.
 */
export function parentsIn(graph: PipelineGraph, own: string, made: readonly Made[]): number[] {
  const newest = new Map<string, number>();
  for (const { id, job } of made) newest.set(job, Math.max(id, newest.get(job) ?? 0));
  const parents: number[] = [];
  const seen = new Set([own]);
  const waiting = needsOf(graph, own, newest);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const id = newest.get(name);
    if (id === undefined) waiting.push(...needsOf(graph, name, newest));
    else parents.push(id);
  }
  return parents.sort((one, other) => one - other);
}

/** The jobs that a job waits for; without `needs`, the deploying jobs of the nearest earlier stage. */
function needsOf({ stages, jobs }: PipelineGraph, name: string, deploys: ReadonlyMap<string, number>): string[] {
  const job = jobs.get(name);
  if (!job) return [];
  if (job.needs) return [...job.needs];
  const deployers = [...jobs].filter(([other]) => deploys.has(other));
  const earlier = stages.slice(0, Math.max(0, stages.indexOf(job.stage)));
  const stage = earlier.findLast((one) => deployers.some(([, other]) => other.stage === one));
  return deployers.flatMap(([other, { stage: itsStage }]) => (itsStage === stage ? [other] : []));
}
