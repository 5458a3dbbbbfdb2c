import {
  type AnyEvidenceItem,
  type AnyEvidenceReport,
  type DeploymentEvent,
  outageFigures,
  type ProvableFigure,
} from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { useEffect, useRef, useState } from 'preact/hooks';
import { inZone } from '../../board/age.ts';
import { BreachMark, type BreachOf, useBreaches } from '../../log/breaches.tsx';
import { ReleaseLink } from '../../log/release-link.tsx';
import type { EvidenceSide } from '../../state/address/figures.ts';
import { changesOf } from '../../state/address.ts';
import { Alert } from '../../ui/alert.tsx';
import { useAddress, useApp } from '../../ui/app.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { csvOf } from '../../ui/csv.ts';
import { Link } from '../../ui/link.tsx';
import { StatusLabel } from '../../ui/status.tsx';
import { Cut } from '../../ui/text.tsx';
import { minuteLabel } from '../period.ts';
import type { LoadedEvidence } from './evidence-reader.ts';
import { figureRow, reasonWords } from './figure-words.ts';
import { itemText } from './sentence.ts';

const stepItems = 50;

export interface EvidenceProps {
  readonly loaded: LoadedEvidence;
  readonly askMore: () => Promise<void>;
}

export function EvidenceItems({ loaded, askMore }: EvidenceProps) {
  const { report, items, isMore, fault } = loaded;
  const { side } = useAddress().figures;
  const [room, setRoom] = useState(stepItems);
  const leftOut = report.left_out.reduce((sum, { count }) => sum + count, 0);
  const all = side === 'counted' ? report.counted : leftOut;
  const shown = items.slice(0, room);
  const breachOf = useBreaches(shown.flatMap(placedOf), ({ at }) => at);
  const events = useEventsOf(shown.flatMap(({ event_ids: [about] }) => about ?? []));
  const more = async () => {
    if (items.length < room + stepItems && isMore) await askMore();
    setRoom(room + stepItems);
  };
  return (
    <>
      <div class="wrap evidence-bar">
        <Side side="counted" count={report.counted} />
        <Side side="left-out" count={leftOut} />
        <span class="space" />
        {items.length > 0 && (
          <CopyButton
            what={items.length < all ? `Copy the newest ${items.length} as CSV` : 'Copy as CSV'}
            text={() => evidenceCsv(report, items)}
          />
        )}
      </div>
      {all === 0 && <p class="small">{side === 'counted' ? 'No events match.' : 'No events are left out.'}</p>}
      {shown.length > 0 && (
        <ul class="card evidence-items ruled">
          {shown.map((item) => (
            <li key={keyOfItem(item)}>
              <Item
                item={item}
                event={events.get(item.event_ids[0] ?? '')}
                figure={report.figure}
                breachOf={breachOf}
              />
            </li>
          ))}
        </ul>
      )}
      <Alert text={fault} />
      {all > shown.length && (
        <p class="small">
          {all - shown.length} more, newest first.{' '}
          <button type="button" class="as-link" onClick={more}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}

function Side({ side, count }: { readonly side: EvidenceSide; readonly count: number }) {
  const { navigation } = useApp();
  const { figures } = useAddress();
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={figures.side === side}
      onClick={() => navigation.go({ figures: { ...figures, side } }, 'replace')}
    >
      {side === 'counted' ? 'Counted' : 'Left out'} <b>{count.toLocaleString('en')}</b>
    </button>
  );
}

interface ItemProps {
  readonly item: AnyEvidenceItem;
  /** `undefined` while the event loads. */
  readonly event: DeploymentEvent | undefined;
  readonly figure: ProvableFigure;
  readonly breachOf: BreachOf;
}

function Item({ item, event, figure, breachOf }: ItemProps) {
  const { at, counted, reason } = item;
  const { times, isOfSlot } = figureRow(figure);
  const what = counted || reason === null ? itemText(item, times) : reasonWords(reason, figure).what;
  const [placed] = placedOf(item);
  const of = placed && `of ${plain(placed.service)} in ${plain(placed.environment)}`;
  const outages = outageName(item);
  return (
    <>
      <span class="evidence-name shrink strong">
        {placed ? (
          <>
            <Cut text={placed.service} className="part" /> {event && <ReleaseLink event={event} />}
            <BreachMark breach={breachOf(placed)} />
          </>
        ) : (
          <Cut text={outages} />
        )}
      </span>
      <span class={counted ? 'strong nowrap' : 'soft nowrap reason'}>{what}</span>
      {placed && (
        <>
          <span class="evidence-where shrink small">
            in <Cut text={placed.environment} />
            {event?.actor && ' by '}
            {event?.actor && <Cut text={event.actor} />}
            {event && <StatusLabel status={event.status} />}
          </span>
          <Link class="small" to={changesOf({ deployment: placed.deployment_id })}>
            its events<span class="unseen"> {of}</span>
          </Link>
        </>
      )}
      <span class="evidence-where shrink small">
        <time dateTime={at} title={inZone(at)}>
          {minuteLabel(at)} UTC
        </time>
        {placed && <Cut text={placed.deployment_id} className="evidence-id mono" />}
        {placed && outages !== '' && <Cut text={outages} />}
      </span>
      {placed && isOfSlot && (
        <Link class="small" to={{ slot: { service: placed.service, environment: placed.environment } }}>
          its history<span class="unseen"> {of}</span>
        </Link>
      )}
    </>
  );
}

/** Items about outages without a deployment have no place. */
function placedOf({ service, environment, deployment_id, at }: AnyEvidenceItem) {
  const isPlaced = service !== null && environment !== null && deployment_id !== null;
  return isPlaced ? [{ service, environment, deployment_id, at }] : [];
}

function keyOfItem({ event_ids: [id], outage }: AnyEvidenceItem): string {
  return outage ? JSON.stringify([outage.source, outage.outage_id]) : `${id}`;
}

/** "pager INC-7". */
function outageName({ outage, outages = [] }: AnyEvidenceItem): string {
  return [...(outage ? [outage] : []), ...outages].map(({ source, outage_id }) => `${source} ${outage_id}`).join(', ');
}

/** Loads each event once (questions.md 4.2). An event that the map lacks is still loading, or was removed. */
function useEventsOf(ids: readonly string[]): ReadonlyMap<string, DeploymentEvent> {
  const { client } = useApp().connection;
  const [events, setEvents] = useState<ReadonlyMap<string, DeploymentEvent>>(new Map());
  const asked = useRef(new Set<string>());
  const over = useRef(new AbortController());
  useEffect(() => () => over.current.abort(), []);
  useEffect(() => {
    const { signal } = over.current;
    const missing = ids.filter((id) => !asked.current.has(id));
    for (const id of missing) asked.current.add(id);
    const asking = missing.map((id) => client.getDeployment({ params: { id }, signal }).then(({ body }) => body));
    void Promise.allSettled(asking).then((answers) => {
      const here = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      if (here.length === 0 || signal.aborted) return;
      setEvents((before) => new Map([...before, ...here.map((event) => [event.id, event] as const)]));
    });
  }, [ids.join(' ')]);
  return events;
}

export function evidenceCsv(
  { figure, unit }: Pick<AnyEvidenceReport, 'figure' | 'unit'>,
  items: readonly AnyEvidenceItem[],
): string {
  const isOfOutages = outageFigures.some((each) => each === figure);
  const head = [
    'figure',
    'service',
    'environment',
    'deployment_id',
    'status',
    'at',
    `value (${unit})`,
    'counted',
    'reason',
    'event_ids',
    ...(isOfOutages ? ['rule', 'outages'] : []),
  ];
  return csvOf(
    head,
    items.map((item) => [
      figure,
      item.service,
      item.environment,
      item.deployment_id,
      item.status ?? null,
      item.at,
      item.value,
      item.counted ? 'yes' : 'no',
      item.reason,
      item.event_ids.join(' '),
      ...(isOfOutages ? [item.rule ?? null, outageName(item)] : []),
    ]),
  );
}
