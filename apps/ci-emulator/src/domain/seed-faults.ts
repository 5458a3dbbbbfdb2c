import {
  ciTools,
  isCiTool,
  type SeedData,
  type SeedOutage,
  type SeedProject,
  type SeedRepo,
} from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import { payloadFault } from './payload.ts';

/** Errors that the schema of a seed can't detect: missing instants, duplicate ids, unknown references, deep nesting. */
export function seedFaults({ repos, projects, outages = [] }: SeedData): FieldError[] {
  return [
    ...repeated(repos, '/repos', ({ owner, repo }) => `${owner}/${repo}`.toLowerCase(), '/repo'),
    ...repeated(projects, '/projects', ({ id }) => id, '/id'),
    ...repeated(projects, '/projects', ({ path }) => path.toLowerCase(), '/path'),
    ...repeated(outages, '/outages', ({ id, tool }) => `${id} of ${tool}`, '/id'),
    ...outageFaults({ repos, projects, outages }),
    ...repeatedDeployments(repos, '/repos'),
    ...repeatedDeployments(projects, '/projects'),
    ...repos.flatMap((repo, index) => repoFaults(repo, `/repos/${index}`)),
    ...projects.flatMap((project, index) => projectFaults(project, `/projects/${index}`)),
  ];
}

/** An issue is in a repository or project of its tool; other outages are in none. */
function outageFaults({
  repos,
  projects,
  outages = [],
}: Pick<SeedData, 'repos' | 'projects' | 'outages'>): FieldError[] {
  const places = {
    github: repos.map(({ owner, repo }) => `${owner}/${repo}`.toLowerCase()),
    gitlab: projects.map(({ path }) => path.toLowerCase()),
  };
  const faultOf = ({ tool, repository }: SeedOutage) => {
    if (!isCiTool(tool)) return repository === undefined ? undefined : `is only for issues of ${ciTools.join(' and ')}`;
    if (repository === undefined) return 'is missing';
    return places[tool].includes(repository.toLowerCase()) ? undefined : `is not known: ${repository}`;
  };
  return outages.flatMap((outage, index) => {
    const message = faultOf(outage);
    return message === undefined ? [] : [{ pointer: `/outages/${index}/repository`, message }];
  });
}

function repeated<Item>(
  items: readonly Item[],
  base: string,
  keyOf: (item: Item) => unknown,
  member: string,
): FieldError[] {
  return repeatedKeys(items.map((item, index) => [`${base}/${index}${member}`, keyOf(item)]));
}

/** Deployment ids are unique per tool, not per repository. */
function repeatedDeployments(
  places: readonly { readonly deployments: readonly { readonly id: number }[] }[],
  base: string,
): FieldError[] {
  return repeatedKeys(
    places.flatMap(({ deployments }, place) =>
      deployments.map(({ id }, index) => [`${base}/${place}/deployments/${index}/id`, id] as const),
    ),
  );
}

function repeatedKeys(keys: readonly (readonly [pointer: string, key: unknown])[]): FieldError[] {
  const seen = new Set<unknown>();
  return keys.flatMap(([pointer, key]) => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ pointer, message: `occurs twice: ${key}` }];
  });
}

function repoFaults({ workflows, deployments }: SeedRepo, base: string): FieldError[] {
  return [
    ...repeated(workflows, `${base}/workflows`, ({ id }) => id, '/id'),
    ...deployments.flatMap((deployment, index): FieldError[] => {
      const at = `${base}/deployments/${index}`;
      const { run_id, workflow, statuses } = deployment;
      const wrongPayload = payloadFault(deployment.payload);
      return [
        ...(wrongPayload === undefined ? [] : [{ pointer: `${at}/payload`, message: wrongPayload }]),
        ...momentFaults(deployment, at),
        ...statuses.flatMap((status, place) => momentFaults(status, `${at}/statuses/${place}`)),
        ...repeated(statuses, `${at}/statuses`, ({ id }) => id, '/id'),
        ...(workflow !== undefined && !workflows.some(({ id }) => id === workflow)
          ? [{ pointer: `${at}/workflow`, message: `is not a workflow of the repository: ${workflow}` }]
          : []),
        ...(run_id !== undefined && workflows.length === 0
          ? [{ pointer: `${at}/run_id`, message: 'requires a workflow, but the repository has none' }]
          : []),
      ];
    }),
  ];
}

function projectFaults({ pipelines, deployments }: SeedProject, base: string): FieldError[] {
  return [
    ...repeated(pipelines, `${base}/pipelines`, ({ id }) => id, '/id'),
    ...deployments.flatMap((deployment, index): FieldError[] => {
      const at = `${base}/deployments/${index}`;
      const pipeline = pipelines.find(({ id }) => id === deployment.pipeline);
      const known = deployment.job === undefined || pipeline?.jobs.some(({ name }) => name === deployment.job);
      return [
        ...momentFaults(deployment, at),
        ...(deployment.pipeline !== undefined && !pipeline
          ? [{ pointer: `${at}/pipeline`, message: `is not a pipeline of the project: ${deployment.pipeline}` }]
          : []),
        ...(known ? [] : [{ pointer: `${at}/job`, message: `is not a job of the pipeline: ${deployment.job}` }]),
        ...((deployment.job === undefined) === (deployment.pipeline === undefined)
          ? []
          : [{ pointer: at, message: 'must have both pipeline and job or neither' }]),
      ];
    }),
  ];
}

function momentFaults(
  item: { readonly created_at?: string; readonly elapsed_minutes?: number },
  at: string,
): FieldError[] {
  const { created_at, elapsed_minutes } = item;
  if ((created_at === undefined) !== (elapsed_minutes === undefined)) return [];
  const message =
    created_at === undefined
      ? 'is required unless elapsed_minutes is sent'
      : 'must not be combined with elapsed_minutes';
  return [{ pointer: `${at}/created_at`, message }];
}
