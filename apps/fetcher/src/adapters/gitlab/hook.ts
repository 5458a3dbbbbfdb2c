import { parseInstant } from '@shiplog/contract';
import { Type } from 'typebox';
import type { Json } from '../../change.ts';
import { Anything, absentOr, Count, reader, ShapeFault, textOrEmpty } from '../../tool/shape.ts';
import type { Deployment, Project } from './answers.ts';

export interface HookStatus {
  readonly project: Project;
  /** Incomplete: it contains only the id of its job, and no pipeline. */
  readonly deployment: Deployment;
}

const readKind = reader('delivery', Type.Object({ object_kind: Anything }));
const readDeploymentHook = reader(
  'deployment hook',
  Type.Object({
    project: Type.Object({ id: Count, path_with_namespace: Type.String() }),
    deployment_id: Count,
    status: Type.String(),
    status_changed_at: Type.String(),
    deployable_id: Anything,
    deployable_url: Anything,
    ref: Anything,
    commit_url: Anything,
    short_sha: Anything,
    user: absentOr(Type.Object({ username: Anything })),
    environment: Anything,
  }),
);

/** `undefined` for other kinds of hooks. @throws ShapeFault if the body doesn't match its kind */
export function readHook(body: Json): HookStatus | undefined {
  if (readKind(body).object_kind !== 'deployment') return undefined;
  const hook = readDeploymentHook(body);
  const at = hookInstant(hook.status_changed_at);
  return {
    project: { id: hook.project.id, path: hook.project.path_with_namespace },
    deployment: {
      id: hook.deployment_id,
      status: hook.status,
      createdAt: at,
      updatedAt: at,
      ref: textOrEmpty(hook.ref),
      sha: shaOf(textOrEmpty(hook.commit_url)) ?? textOrEmpty(hook.short_sha),
      actor: textOrEmpty(hook.user?.username),
      environment: textOrEmpty(hook.environment),
      ...(typeof hook.deployable_id === 'number' && {
        job: {
          id: readJobId(hook.deployable_id),
          name: '',
          isTag: false,
          webUrl: textOrEmpty(hook.deployable_url),
        },
      }),
    },
  };
}

const readJobId = reader('deployable_id', Count);

/** Converts `2021-04-28 21:50:00 +0200` or `2021-04-28 19:50:00 UTC` to RFC 3339; accepts RFC 3339 too. */
export function hookInstant(text: string): string {
  const [, day, time, zone = '', hours, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) (UTC|([+-]\d\d):?(\d\d))$/.exec(text) ?? [];
  const written = day === undefined ? text : `${day}T${time}${zone === 'UTC' ? 'Z' : `${hours}:${minutes}`}`;
  if (parseInstant(written) !== undefined) return written;
  throw new ShapeFault(`${JSON.stringify(text)} is not a valid time`);
}

function shaOf(commitUrl: string): string | undefined {
  return /\/commit\/([0-9a-f]{40,64})$/.exec(commitUrl)?.[1];
}
