import type { Change, DeploymentEvent } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';
import { releasePage } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { Version } from '../ui/version.tsx';

/** The version of an event or change, linked to its release; plain text if it has neither a version nor a commit. */
export function ReleaseLink({ event }: { readonly event: DeploymentEvent | Change }) {
  const { service, environment, version, sha } = event;
  const release = version || sha;
  const shown = <Version text={versionOf(event)} />;
  return release ? (
    <Link class="release-link shrink" to={releasePage({ service, release, environment })}>
      {shown}
    </Link>
  ) : (
    shown
  );
}
