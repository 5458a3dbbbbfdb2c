import type { DeploymentEvent } from '@shiplog/contract';
import { plain, versionOf } from '@shiplog/text';
import type { EnvironmentOrStage } from '../board/stages.ts';
import { Time } from '../ui/age.tsx';
import { Version } from '../ui/version.tsx';

/** A later attempt: "7.2.0 failed 12 min", in a stage "7.2.0 arriving in prod-us 3 min". */
export function Meanwhile({ event, side }: { readonly event: DeploymentEvent; readonly side: EnvironmentOrStage }) {
  const isFailed = event.status === 'failure';
  return (
    <span class={`small meanwhile ${isFailed ? 'bad' : 'run'}`}>
      <Version text={versionOf(event)} /> <b>{isFailed ? 'failed' : 'arriving'}</b>{' '}
      {side.environments.length > 1 && plain(`in ${event.environment} `)}
      <Time at={event.happened_at} />
    </span>
  );
}
