import { parseInstant } from '@shiplog/contract';
import type { Json } from '../../change.ts';
import { integerOf, membersIfAny, membersOf, ShapeFault, textIfAny, textOf } from '../../tool/shape.ts';
import type { Deployment, Project } from './answers.ts';

/** What a `Deployment Hook` tells (fetcher §11). */
export interface HookStatus {
  readonly project: Project;
  /** As far as a hook knows it: of its job the id alone, and nothing of its pipeline. */
  readonly deployment: Deployment;
}

/** `undefined` for other hooks. @throws ShapeFault where it is not what its name promises */
export function readHook(body: Json): HookStatus | undefined {
  const members = membersOf(body, 'delivery');
  if (members.object_kind !== 'deployment') return undefined;
  const project = membersOf(members.project, 'project');
  const at = hookInstant(textOf(members, 'status_changed_at'));
  const hasJob = typeof members.deployable_id === 'number';
  return {
    project: { id: integerOf(project, 'id'), path: textOf(project, 'path_with_namespace') },
    deployment: {
      id: integerOf(members, 'deployment_id'),
      status: textOf(members, 'status'),
      createdAt: at,
      updatedAt: at,
      ref: textIfAny(members, 'ref'),
      sha: shaOf(textIfAny(members, 'commit_url')) ?? textIfAny(members, 'short_sha'),
      actor: textIfAny(membersIfAny(members.user, 'user'), 'username'),
      environment: textIfAny(members, 'environment'),
      ...(hasJob && {
        job: {
          id: integerOf(members, 'deployable_id'),
          name: '',
          isTag: false,
          webUrl: textIfAny(members, 'deployable_url'),
        },
      }),
    },
  };
}

/** RFC 3339 of `2021-04-28 21:50:00 +0200`, `2021-04-28 19:50:00 UTC` or an instant that is written so already. */
function hookInstant(text: string): string {
  const [, day, time, zone = '', hours, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) (UTC|([+-]\d\d):?(\d\d))$/.exec(text) ?? [];
  const written = day === undefined ? text : `${day}T${time}${zone === 'UTC' ? 'Z' : `${hours}:${minutes}`}`;
  if (parseInstant(written) !== undefined) return written;
  throw new ShapeFault('the member status_changed_at is no instant');
}

function shaOf(commitUrl: string): string | undefined {
  return /\/commit\/([0-9a-f]{40,64})$/.exec(commitUrl)?.[1];
}
