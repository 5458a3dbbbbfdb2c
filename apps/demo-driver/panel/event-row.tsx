import { type Fields, fieldsOf, fieldText } from '@shiplog/panels/ui/api.ts';
import { announce, Button } from '@shiplog/panels/ui/controls.tsx';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { Age, Cut, plain } from '@shiplog/panels/ui/text.tsx';

const shapes: Readonly<Record<string, Shape>> = {
  'reset-completed': 'ok',
  'reset-aborted': 'bad',
  running: 'dot',
  idle: 'ring',
  paused: 'pause',
  error: 'bad',
};

interface RowContent {
  readonly shape: Shape | undefined;
  readonly what: string;
  readonly who: string;
  readonly details: readonly string[];
  readonly at: string;
  readonly correlation?: string;
}

/** What a row shows, by the name of its feed or of its frame. */
const contents: Readonly<Record<string, (get: (name: string) => string) => RowContent>> = {
  posted: (get) => ({
    shape: 'arrow',
    what: 'posted',
    who: `${get('service')} in ${get('environment')}`,
    details: [get('status'), get('deployment_id'), get('reporter')],
    at: get('posted_at'),
  }),
  error: (get) => ({
    shape: 'bad',
    what: 'not stored',
    who: get('deployment_id'),
    details: [
      get('http_status') === '0' ? 'no answer' : `answered ${get('http_status')}`,
      get('attempt') === '1' ? '1 attempt' : `${get('attempt')} attempts`,
      get('reporter'),
    ],
    at: get('posted_at'),
  }),
  control: (get) => ({
    shape: shapes[get('type')] ?? 'clock',
    what: get('type'),
    who: get('component').replace(/^\*$/, 'all components'),
    details: [],
    at: get('occurred_at'),
    correlation: get('correlation_id'),
  }),
  components: (get) => ({
    shape: shapes[get('state')],
    what: get('event_type'),
    who: get('component_id'),
    details: [get('state'), get('detail'), get('times')],
    at: get('occurred_at'),
    correlation: get('correlation_id'),
  }),
};

function contentOf({ kind, data, times }: Fields): RowContent | undefined {
  const name = String(kind);
  const fields = { ...fieldsOf(data), times: times && `${times} times` };
  const content = Object.hasOwn(contents, name) ? contents[name]?.((member) => fieldText(fields, member)) : undefined;
  return content?.what ? content : undefined;
}

/** Whether an item of the events feed has a row. */
export function isEvent(item: Fields): boolean {
  return contentOf(item) !== undefined;
}

/** Heartbeats of one component share a row, so that frequent ones don't push other rows out. */
export function heartbeatOf({ data }: Fields): unknown {
  const { event_type, component_id } = fieldsOf(data);
  return event_type === 'heartbeat' && component_id;
}

/** Filters the events by correlation id; empty shows all. */
export interface CorrelationFilter {
  readonly chosen: string;
  choose(correlation: string): void;
}

export function EventRow({ item, filter }: { readonly item: Fields; readonly filter: CorrelationFilter }) {
  const content = contentOf(item);
  if (!content) return null;
  const { shape = 'dot', what, who, details, at, correlation = '' } = content;
  const text = details.map((detail) => detail && ` · ${plain(detail)}`).join('');
  const isHidden = filter.chosen !== '' && correlation !== filter.chosen;
  return (
    <li class={`row filled ${shape}`} hidden={isHidden}>
      <Mark shape={shape} />
      <Cut text={what} class="what" />
      <span class="text clamp" title={text}>
        <bdi>{plain(who)}</bdi>
        <bdi class="soft">{text}</bdi>
      </span>
      <span class="side">{correlation && <Chip correlation={correlation} filter={filter} />}</span>
      <Age at={at} />
    </li>
  );
}

function Chip({ correlation, filter }: { readonly correlation: string; readonly filter: CorrelationFilter }) {
  const short = plain(correlation.slice(-6));
  const isChosen = filter.chosen === correlation;
  return (
    <Button
      class="chip"
      title={plain(correlation)}
      aria-label={`${short}: only this correlation`}
      aria-pressed={isChosen}
      onPress={() => filter.choose(isChosen ? '' : correlation)}
    >
      {short}
    </Button>
  );
}

export function FilterNote({ chosen, choose }: CorrelationFilter) {
  return (
    <p class="small" id="events-filter" hidden={!chosen}>
      Only correlation <Cut text={chosen} class="mono" />
      <Button class="quiet" onPress={() => choose('')}>
        Show all
      </Button>
    </p>
  );
}

export function announceFilter(chosen: string): void {
  announce(chosen ? 'The events are filtered.' : 'All events are shown.');
}
