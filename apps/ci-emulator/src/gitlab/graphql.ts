import { gitlabJobsOperation } from '@shiplog/companions';
import { type Pipeline, type Project, seenAt } from '../domain/model.ts';
import type { Found } from '../surface/answer.ts';
import type { GitlabContext } from './context.ts';
import { latestJobId } from './shapes.ts';

interface Query {
  readonly operationName?: unknown;
  readonly variables?: { readonly fullPath?: unknown; readonly iid?: unknown };
}

/** The only operation that the fetcher uses; others are refused as unknown. */
export function pipelineJobs({ store, call }: GitlabContext): Found {
  const query = readQuery(call.body);
  if (query.operationName !== gitlabJobsOperation) {
    const message = `No operation named ${JSON.stringify(query.operationName ?? null)}`;
    return { value: { errors: [{ message }] } };
  }
  const path = String(query.variables?.fullPath ?? '').toLowerCase();
  const project = seenAt(store.projects, call.seenAt).find((one) => one.path.toLowerCase() === path && !one.forbidden);
  const pipeline = project?.pipelines.find(({ iid }) => String(iid) === String(query.variables?.iid));
  return {
    value: { data: { project: project ? { pipeline: pipeline ? pipelineShape(project, pipeline) : null } : null } },
  };
}

function readQuery(body: Buffer): Query {
  try {
    return Object(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}

function pipelineShape(project: Project, pipeline: Pipeline) {
  const jobs = pipeline.jobs.map(({ name, stage, needs = [] }) => ({
    id: `gid://gitlab/Ci::Build/${latestJobId(project, pipeline, name)}`,
    name,
    stage: { name: stage },
    needs: { nodes: needs.map((need) => ({ name: need })) },
  }));
  return { stages: { nodes: pipeline.stages.map((name) => ({ name })) }, jobs: { nodes: jobs } };
}
