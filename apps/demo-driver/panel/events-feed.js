import { copyable } from './shared/controls.js';
import { announce, cut, el, elementById, fill, plain, textOf } from './shared/dom.js';
import { feedList } from './shared/feed-list.js';
import { mark } from './shared/marks.js';
import { driverPaths as paths } from './shared/paths.js';
import { timeTag } from './shared/time.js';

/** @type {Record<string, Shape>} */
const shapes = {
  'reset-completed': 'ok',
  'reset-aborted': 'bad',
  running: 'dot',
  idle: 'ring',
  paused: 'pause',
  error: 'bad',
};

/**
 * What a row says, by the name of its feed or frame.
 * @type {Record<string, (get: (name: string) => string) => [
 *   shape: Shape | undefined, what: string, who: string, details: string[], at: string, correlation?: string]>}
 */
const rows = {
  posted: (get) => [
    'arrow',
    'posted',
    `${get('service')} in ${get('environment')}`,
    [get('status'), get('deployment_id'), get('reporter')],
    get('posted_at'),
  ],
  error: (get) => [
    'bad',
    'not stored',
    get('deployment_id'),
    [
      get('http_status') === '0' ? 'no answer' : `answered ${get('http_status')}`,
      get('attempt') === '1' ? '1 attempt' : `${get('attempt')} attempts`,
      get('reporter'),
    ],
    get('posted_at'),
  ],
  control: (get) => [
    shapes[get('type')] ?? 'clock',
    get('type'),
    get('component').replace(/^\*$/, 'all components'),
    [],
    get('occurred_at'),
    get('correlation_id'),
  ],
  components: (get) => [
    shapes[get('state')],
    get('event_type'),
    get('component_id'),
    [get('state'), get('detail'), get('times')],
    get('occurred_at'),
    get('correlation_id'),
  ],
};

/** The correlation id that the feed is filtered by; empty for all. */
let chosen = '';

/** What the driver posted, what happens to the system, and what the components say, in one list. */
export function eventsFeed() {
  return feedList('events', {
    max: 20,
    key: 'shiplog-driver-events',
    render: ({ kind, data, times }) => eventRow(String(kind), { ...Object(data), times: times && `${times} times` }),
    // One that beats often must not push the others out.
    nameOf: ({ data }) => Object(data).event_type === 'heartbeat' && Object(data).component_id,
    empty: [
      el('p', {}, 'Nothing has happened yet. Switch live emission on, or run:'),
      copyable(`curl -X POST ${new URL(paths.switchEmission, location.href)}`),
    ],
  });
}

/**
 * @param {string} kind
 * @param {Fields} data
 */
function eventRow(kind, data) {
  const [shape = 'dot', what, who, details = [], at, correlation = ''] =
    (Object.hasOwn(rows, kind) && rows[kind]?.((name) => textOf(data, name))) || [];
  if (!what) return undefined;
  const text = details.map((detail) => detail && ` · ${plain(detail)}`).join('');
  const item = el(
    'li',
    { class: `row ${shape}`, 'data-correlation': correlation },
    mark(shape),
    cut(what, 'what'),
    el('span', { class: 'text', title: text }, el('bdi', {}, plain(who)), el('bdi', { class: 'soft' }, text)),
    el('span', { class: 'side' }, correlation && chip(correlation)),
    timeTag(at),
  );
  item.hidden = chosen !== '' && correlation !== chosen;
  return item;
}

/** @param {string} correlation */
function chip(correlation) {
  const short = plain(correlation.slice(-6));
  return el(
    'button',
    {
      class: 'chip',
      title: plain(correlation),
      'aria-label': `${short}: only this correlation`,
      'aria-pressed': String(chosen === correlation),
      click: () => choose(chosen === correlation ? '' : correlation),
    },
    short,
  );
}

/** @param {string} correlation */
function choose(correlation) {
  chosen = correlation;
  for (const row of elementById('events').querySelectorAll('li')) {
    const same = row.dataset.correlation === chosen;
    row.hidden = chosen !== '' && !same;
    row.querySelector('.chip')?.setAttribute('aria-pressed', String(chosen !== '' && same));
  }
  const note = elementById('events-filter');
  note.hidden = !chosen;
  const all = el('button', { class: 'quiet', click: () => choose('') }, 'Show all');
  fill(note, 'Only correlation ', cut(chosen, 'mono'), all);
  announce(chosen ? 'The events are filtered.' : 'All events are shown.');
}
