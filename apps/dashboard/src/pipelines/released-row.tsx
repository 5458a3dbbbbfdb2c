import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { Time } from '../ui/age.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import type { ServiceStages } from './service-stages.ts';
import { howFar } from './stage-words.ts';

/** A service whose newest release is in production. */
export function ReleasedRow({ line }: { readonly line: ServiceStages }) {
  const { service, release, far } = line;
  return (
    <Link class="released-row ok" to={{ opened: service }} aria-expanded={false} title={plain(howFar(line))}>
      <Mark shape="ok" />
      <Cut text={service} />
      <Version text={release} />
      {far.event && <Time at={far.event.happened_at} />}
    </Link>
  );
}
