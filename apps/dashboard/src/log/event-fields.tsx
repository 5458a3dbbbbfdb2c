import type { DeploymentEvent } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { inUtc, inZone } from '../board/age.ts';
import { changesOf } from '../state/address.ts';
import { useApp } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Link } from '../ui/link.tsx';
import { StatusLabel } from '../ui/status.tsx';
import { curlOfEvent } from './curl.ts';
import { runLinkOf } from './outer-link.tsx';
import { Posted } from './posted.tsx';

const names: Readonly<Record<string, string>> = {
  service: 'Service',
  environment: 'Environment',
  status: 'Status',
  version: 'Version',
  happened_at: 'Happened at',
  deployment_id: 'Deployment',
  actor: 'Actor',
  ref: 'Ref',
  sha: 'Sha',
  run_number: 'Run number',
  run_url: 'Run',
  parent_deployments: 'Promoted from',
  progress_reporter: 'Progress reporter',
  id: 'Event',
};

interface EventFieldsProps {
  readonly id: string;
  readonly event: DeploymentEvent;
}

export function EventFields({ id, event }: EventFieldsProps) {
  const { baseUrl } = useApp().connection;
  const fields = Object.entries(event).filter(([, value]) => value !== undefined);
  const rank = Object.keys(names);
  const order = ([name]: [string, unknown]) => (rank.indexOf(name) + rank.length + 1) % (rank.length + 1);
  return (
    <div id={id} class="event-fields">
      <dl>
        {fields
          .sort((one, other) => order(one) - order(other))
          .map(([name, value]) => (
            <div key={name}>
              <dt class="tiny soft">{names[name] ?? name}</dt>
              <dd class="mono breaks">{shown(name, value, event)}</dd>
            </div>
          ))}
        <div>
          <dt class="tiny soft">Posted</dt>
          <dd class="breaks">
            <Posted id={event.id} />
          </dd>
        </div>
      </dl>
      <div class="wrap fine event-actions">
        <Link to={changesOf({ deployment: event.deployment_id })}>This deployment everywhere</Link>
        {event.actor && (
          <Link to={changesOf({ actor: event.actor, range: { name: '30d' } })}>Deployments by this person</Link>
        )}
        <CopyButton what="Copy as JSON" text={() => JSON.stringify(event, undefined, 2)} />
        <CopyButton what="Copy as curl" text={() => curlOfEvent(baseUrl, event.id)} />
      </div>
    </div>
  );
}

function shown(name: string, value: unknown, event: DeploymentEvent): ComponentChildren {
  if (name === 'status') return <StatusLabel status={event.status} />;
  if (name === 'happened_at') return <Instant at={event.happened_at} />;
  if (name === 'run_url') return <RunUrl url={String(value)} />;
  if (name === 'parent_deployments' && Array.isArray(value)) return <Parents parents={value.map(String)} />;
  return <Whole text={typeof value === 'string' ? value : JSON.stringify(value)} />;
}

/** A time in the viewer's time zone, and as the reporter sent it. */
function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={inUtc(at)}>
      {inZone(at)} <span class="soft">{plain(at)}</span>
    </time>
  );
}

function RunUrl({ url }: { readonly url: string }) {
  const href = runLinkOf(url);
  if (!href) return <Whole text={url} />;
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      <Whole text={url} />
    </a>
  );
}

function Parents({ parents }: { readonly parents: readonly string[] }) {
  return (
    <ul>
      {parents.map((parent) => (
        <li key={parent}>
          <Link to={changesOf({ deployment: parent })}>
            <Whole text={parent} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Whole({ text }: { readonly text: string }) {
  return <bdi>{text === '' ? '(empty)' : plain(text)}</bdi>;
}
