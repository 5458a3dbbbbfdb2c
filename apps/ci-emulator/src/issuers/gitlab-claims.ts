import { gitlabHtmlUrl } from '@shiplog/companions';
import { type Project, seenAt } from '../domain/model.ts';
import { numberOf } from '../github/context.ts';
import { jobId, person, tierOf } from '../gitlab/shapes.ts';
import { type Claims, fullRef, type JobClaims, newestFor, type RequestedJob, refType } from './job-claims.ts';

/** The claims of a GitLab ID token; `undefined` without a matching pipeline. */
export function gitlabClaims(project: Project, requested: RequestedJob): JobClaims | undefined {
  const rows = seenAt(project.deployments.values(), Number.POSITIVE_INFINITY);
  const ofRun = rows.filter(({ job }) => job && (requested.run === undefined || job.pipeline.id === requested.run));
  const deployment = newestFor(ofRun, requested.environment);
  if (!deployment?.job) return undefined;
  const { user, sha, job } = deployment;
  const environment = requested.environment ?? deployment.environment;
  const ref = fullRef(deployment.ref);
  const namespace = project.path.split('/').slice(0, -1).join('/');
  const { host } = new URL(gitlabHtmlUrl);
  const claims = {
    namespace_id: String(numberOf(namespace)),
    namespace_path: namespace,
    project_id: String(project.id),
    project_path: project.path,
    user_id: String(person(user).id),
    user_login: user,
    user_email: `${user}@example.com`,
    user_access_level: 'developer',
    pipeline_id: String(job.pipeline.id),
    pipeline_source: 'push',
    job_id: String(jobId(project, deployment)),
    ref: ref.replace(/^refs\/(heads|tags)\//, ''),
    ref_type: refType(ref),
    ref_path: ref,
    ref_protected: String(ref === 'refs/heads/main'),
    groups_direct: [namespace],
    environment,
    environment_protected: 'false',
    deployment_tier: tierOf(environment),
    environment_action: 'start',
    runner_id: 1,
    runner_environment: 'self-hosted',
    sha,
    project_visibility: 'private',
    ci_config_ref_uri: `${host}/${project.path}//.gitlab-ci.yml@${ref}`,
    ci_config_sha: sha,
  };
  return { claims, subject };
}

function subject({ project_path, ref_type, ref }: Claims): string {
  return `project_path:${project_path}:ref_type:${ref_type}:ref:${ref}`;
}
