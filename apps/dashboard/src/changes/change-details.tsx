import type { Change } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { useMemo } from 'preact/hooks';
import { compareUrl } from '../board/repository.ts';
import { useBreachesOfEvents } from '../log/breaches.tsx';
import { EventRow, useRowClicks } from '../log/event-row.tsx';
import { useLog } from '../log/follow-log.ts';
import { logQueryOfChange } from '../log/log-query.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { changesOf } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { failureText } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';

/** The events of a change, and where to go from it. */
export function ChangeDetails({ change }: { readonly change: Change }) {
  const { deployment_id, service, environment } = change;
  const { ownership } = useApp();
  const repository = useStore(ownership).items.get(service)?.repository;
  const query = useMemo(() => logQueryOfChange(change), [deployment_id, service, environment]);
  const reader = useLog(query);
  const { loaded, phase, fault } = useStore(reader.state);
  const opened = useMemo(() => new Set<string>(), []);
  const breachOf = useBreachesOfEvents(loaded.events);
  const rows = useRowClicks<HTMLOListElement>();
  const url = change.previous && compareUrl(repository, change.previous, change);
  return (
    <div class="change-details">
      <ol ref={rows} class="events" aria-label={`Events of ${service} in ${environment}`}>
        {loaded.events.map((event) => (
          <EventRow
            key={event.id}
            event={event}
            isFresh={(id) => reader.isFresh(id)}
            {...{ opened, breachOf }}
            isDayShown
          />
        ))}
      </ol>
      {phase === 'asking' && <p class="small">Loading events …</p>}
      {phase === 'failed' && <Fault what={failureText(fault)} retry={() => void reader.older()} />}
      <div class="wrap fine change-links">
        {url && (
          <OuterLink url={url} label={`Compare the releases of ${service} in ${environment}`}>
            Compare releases
          </OuterLink>
        )}
        <Link to={{ slot: { service, environment } }}>
          History in <bdi>{plain(environment)}</bdi>
        </Link>
        <Link to={changesOf({ deployment: deployment_id })}>This deployment everywhere</Link>
        {!loaded.isWhole && loaded.events.length > 0 && phase !== 'asking' && (
          <button type="button" class="chip" onClick={() => void reader.older()}>
            Older events
          </button>
        )}
      </div>
    </div>
  );
}
