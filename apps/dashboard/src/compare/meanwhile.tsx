import type { DeploymentEvent } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';
import { Time } from '../ui/age.tsx';
import { Version } from '../ui/version.tsx';

/** A later attempt: "7.2.0 failed 12 min", "7.2.0 arriving 3 min". */
export function Meanwhile({ event }: { readonly event: DeploymentEvent }) {
  const isFailed = event.status === 'failure';
  return (
    <span class={`small meanwhile ${isFailed ? 'bad' : 'run'}`}>
      <Version text={versionOf(event)} /> <b>{isFailed ? 'failed' : 'arriving'}</b> <Time at={event.happened_at} />
    </span>
  );
}
