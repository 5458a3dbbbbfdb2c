import { ageOf, versionOf } from '@shiplog/text';
import { inUtc } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { StatusLabel } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { EventRow, type EventRowProps } from './event-row.tsx';
import { durationOf, type Group } from './groups.ts';

export function EventGroup({ group, ...row }: Omit<EventRowProps, 'event'> & { readonly group: Group }) {
  const { deployment, services, environments, status, named, events } = group;
  const { ofOneSlot } = row;
  return (
    <>
      <div class={ofOneSlot ? 'group-head of-slot' : 'group-head'}>
        <StatusLabel status={status} />
        <Version text={versionOf(named)} />
        {!ofOneSlot && <Cut text={services.join(', ')} className="event-service" />}
        {!ofOneSlot && <Cut text={environments.join(', ')} className="event-environment" />}
        <Cut text={deployment} className="mono group-deployment" />
        <Span group={group} />
      </div>
      <ol aria-label={`Deployment ${deployment}`}>
        {events.map((event) => (
          <EventRow key={event.id} event={event} {...row} />
        ))}
      </ol>
    </>
  );
}

/** The ages of the first and last event (one age if they are equal), and the time between the events. */
function Span({ group: { first, last, spanMs, events } }: { readonly group: Group }) {
  const nowMs = useStore(useApp().connection.now);
  if (events.length === 1) return <Time at={last} />;
  const [from, to] = [first, last].map((at) => ageOf(Date.parse(at), nowMs));
  return (
    <span class="age" title={`${inUtc(first)} → ${inUtc(last)}`}>
      {from === to ? to : `${from} → ${to}`} · took {durationOf(spanMs)}
    </span>
  );
}
