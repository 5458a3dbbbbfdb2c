import type { ReleaseDetail } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, versionOf } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import type { Befores } from '../log/before.ts';
import { LastGood } from '../log/last-good.tsx';
import { releasePage } from '../state/address.ts';
import { Time } from '../ui/age.tsx';
import { DayTime } from '../ui/day-time.tsx';
import { Link } from '../ui/link.tsx';
import { Version } from '../ui/version.tsx';
import { nameOf } from './matches.ts';
import type { Presence } from './presence.ts';
import { looks } from './presence-look.ts';

interface PromotionPathProps {
  readonly detail: ReleaseDetail;
  readonly presences: ReadonlyMap<string, Presence>;
  readonly befores: Befores;
  /** The environment in the question. */
  readonly environment: string | undefined;
}

/** A box for each environment. A click on a box selects its environment. */
export function PromotionPath({ detail, presences, befores, environment }: PromotionPathProps) {
  const { service } = detail;
  const release = nameOf(detail);
  return (
    <ol class="promotion-path" aria-label={`${plain(release)} on its way to production`}>
      {[...presences].map(([name, presence]) => {
        const { tone, shape, words } = looks[presence.kind];
        const isAsked = name === environment;
        const before = befores.get(name);
        return (
          <li key={name} class={`stack path-stage tile ${tone} ${presence.kind}${isAsked ? ' asked' : ''}`}>
            <h3 class="row apart fine">
              <Link
                class="plain-link breaks"
                to={releasePage({ service, release, environment: name })}
                aria-current={isAsked ? 'true' : undefined}
              >
                <bdi>{plain(name)}</bdi>
              </Link>
              {isAsked && <span class="small nowrap">you asked</span>}
            </h3>
            <p class={`row gap-6 path-state ${tone}`}>
              <Mark shape={shape} />
              <b>{presence.kind === 'waits' || presence.kind === 'called-off' ? presence.event.status : words}</b>
            </p>
            <p class="wrap small">{since(presence)}</p>
            {!(before && presence.kind === 'runs') && <p class="wrap small">{beside(presence, detail, name)}</p>}
            {before && <LastGood label="before" before={before} />}
          </li>
        );
      })}
    </ol>
  );
}

function since(presence: Presence): ComponentChildren {
  switch (presence.kind) {
    case 'none':
      return 'nothing queued or waiting';
    case 'runs':
    case 'last-success':
      return (
        <>
          since <DayTime at={presence.since} />
        </>
      );
    case 'was':
      return presence.until === undefined ? (
        'another runs now'
      ) : (
        <>
          until <DayTime at={presence.until} />
        </>
      );
    default:
      return <DayTime at={presence.event.happened_at} />;
  }
}

/** The release that this one replaced, or the release that runs there instead. */
function beside(presence: Presence, { replaced }: ReleaseDetail, environment: string): ComponentChildren {
  if (presence.kind === 'last-success') {
    const { failed } = presence;
    if (!failed) return 'an attempt after it failed';
    return (
      <>
        <Version text={versionOf(failed)} /> <span class="bad-text">failed</span> <Time at={failed.happened_at} />
      </>
    );
  }
  if (presence.kind === 'runs') {
    const before = Object.hasOwn(replaced, environment) ? replaced[environment] : undefined;
    return before ? (
      <>
        replaced <Version text={nameOf(before)} />
      </>
    ) : (
      'first release here'
    );
  }
  const { lastSuccess, isFailing } = presence.there;
  if (!lastSuccess) return 'nothing has succeeded here';
  return (
    <>
      <Version text={versionOf(lastSuccess)} /> {isFailing ? 'last success' : 'runs now'},{' '}
      <Time at={lastSuccess.happened_at} />
    </>
  );
}
