import { statusLook } from '@shiplog/panels/files/marks.js';
import { plain } from '@shiplog/text';
import type { Place, PlaceMark, ReleaseLine, Section } from './progress.ts';
import type { Stages } from './stages.ts';

/** The shape of each mark, named as in `libs/panels/files/marks.js`, and its label. */
export const markLooks: Readonly<Record<PlaceMark, readonly [shape: Shape | undefined, label: string]>> = {
  ok: ['ok', 'runs there'],
  newer: ['tick', 'newer there now'],
  run: ['run', 'running'],
  slow: ['run', 'slow'],
  stuck: ['stuck', 'stuck'],
  bad: ['bad', 'failed'],
  passed: ['passed', 'failed, newer there now'],
  waits: ['pause', 'waiting'],
  queued: ['clock', 'queued'],
  pending: ['ring', 'pending'],
  off: ['cross', 'cancelled or rejected'],
  ahead: ['ahead', 'clock ahead'],
  not: ['open', 'not yet'],
  skipped: [undefined, 'skipped'],
  none: [undefined, 'never deployed'],
};

/** The marks from worst to best. */
const marks = Object.keys(markLooks) as PlaceMark[];
const worstFirst: readonly PlaceMark[] = ['bad', 'stuck', 'slow', 'run', 'waits', 'queued', 'pending'];

/** The places of each mark, worst first; the others in the order of the legend. */
export function countedMarks(places: readonly Place[]): { readonly mark: PlaceMark; readonly count: number }[] {
  return [...new Set([...worstFirst, ...marks])].flatMap((mark) => {
    const count = places.filter((place) => place.mark === mark).length;
    return count > 0 ? [{ mark, count }] : [];
  });
}

export type Stroke = 'solid' | 'dashed' | 'dotted' | 'broken';

const strokes: readonly (readonly [Stroke, readonly PlaceMark[]])[] = [
  ['broken', ['bad']],
  ['dashed', ['run', 'slow', 'stuck']],
  ['solid', ['ok', 'newer', 'passed', 'ahead']],
];

/** The line to a stage: `solid` = done, `dashed` = in progress, `dotted` = not yet, `broken` = failed. */
export function strokeTo(places: readonly Place[]): Stroke | undefined {
  if (places.every(({ mark }) => mark === 'none' || mark === 'skipped')) return undefined;
  return strokes.find(([, own]) => places.some(({ mark }) => own.includes(mark)))?.[0] ?? 'dotted';
}

const waitingMarks: readonly PlaceMark[] = ['waits', 'queued', 'pending'];

/** The tone of a stage: that of its worst place. */
export function toneOf(places: readonly Pick<Place, 'mark'>[]): 'bad' | 'run' | 'wait' | '' {
  const has = (own: readonly PlaceMark[]) => places.some(({ mark }) => own.includes(mark));
  return has(['bad']) ? 'bad' : has(['run', 'slow', 'stuck']) ? 'run' : has(waitingMarks) ? 'wait' : '';
}

/** The title of a group by progress. In alphabetical order, the groups that need attention come first. */
export function sectionTitle(section: Section, production: string | undefined): string {
  const there = plain(production ?? '');
  if (section === 'halted') return 'Halted';
  if (section === 'moving') return 'Moving';
  if (section === 'short') return `Not yet in ${there || 'production'}`;
  return there === '' ? 'Released' : `Released to ${there}`;
}

/** The progress of a release without its age: "failed in prod-eu and dr", "queued for prod", "reached qa". */
export function howFar({ far, places, section }: ReleaseLine, stages: Stages): string {
  const { mark, environment, event } = far;
  const stage = stages.ofEnvironment.get(environment);
  const inStage = places.filter((place) => stage?.environments.includes(place.environment));
  const there = namesOf(inStage.filter((place) => place.mark === mark)) || plain(environment);
  if (mark === 'queued') return `queued for ${there}`;
  if (mark === 'off' && event) return `${statusLook(event.status)[1]} in ${there}`;
  if (mark === 'passed') return `failed in ${there}`;
  if (mark === 'newer') return `was in ${there}`;
  if (mark === 'skipped' || mark === 'none') return event ? `no end reported in ${plain(environment)}` : 'never ran';
  if (mark !== 'ok' && mark !== 'ahead') return `${markLooks[mark][1]} in ${there}`;
  if (section === 'rest' && stages.productionName !== undefined) return `in ${plain(stages.productionName)}`;
  const missing = namesOf(inStage.filter((place) => place.mark === 'not'));
  if (stage?.isProduction) return missing === '' ? `in ${there}` : `in ${there}, not in ${missing}`;
  return `reached ${there}`;
}

const namesMax = 2;

/** "prod-eu", "prod-eu and dr", "prod-eu and 2 more". */
function namesOf(places: readonly Place[]): string {
  const names = places.map(({ environment }) => plain(environment));
  if (names.length <= namesMax) return names.join(' and ');
  return `${names[0]} and ${names.length - 1} more`;
}

/** For screen readers: "dev: runs there, staging: running, prod: not yet". */
export function placesSentence(places: readonly Place[]): string {
  return places
    .filter(({ mark }) => mark !== 'none' && mark !== 'skipped')
    .map(({ environment, mark }) => `${plain(environment)}: ${markLooks[mark][1]}`)
    .join(', ');
}
