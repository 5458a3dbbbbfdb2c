import type { DeploymentEvent, MatrixRow, Release } from '@shiplog/contract';
import { releaseName, versionOf } from '@shiplog/text';
import { type Lag, lagIn } from './attention.ts';
import { environmentsOf, msOf } from './board.ts';
import { type Box, boxIn, eventNamed, eventShown, isToStart } from './box.ts';
import { type BoardContext, noContext } from './context.ts';
import { memoizeLast, memoizePer, memoizePerRow } from './memoize.ts';
import type { Stages } from './stages.ts';

/**
 * The progress of a release: `halted` (failed or stuck), `moving`, `short` (before production), `rest` (in production).
 */
export type Section = 'halted' | 'moving' | 'short' | 'rest';

/**
 * The state of a release in an environment: `newer` = another release came later, `passed` = it failed and another
 * release came later, `not` = it isn't there yet, `skipped` = others were deployed there, but not this one, `none` = the
 * service was never deployed there.
 */
export type PlaceMark =
  | 'ok'
  | 'newer'
  | 'run'
  | 'slow'
  | 'stuck'
  | 'bad'
  | 'passed'
  | 'off'
  | 'waits'
  | 'queued'
  | 'pending'
  | 'ahead'
  | 'not'
  | 'skipped'
  | 'none';

export interface Place {
  readonly environment: string;
  readonly mark: PlaceMark;
  /** The event that the mark shows, if any. */
  readonly event: DeploymentEvent | undefined;
}

/** One release on its way through the environments. */
export interface ReleaseLine {
  /** The version of the release, or the best substitute. */
  readonly release: string;
  readonly section: Section;
  /** One place for each environment. */
  readonly places: readonly Place[];
  /** The place that shows the progress of the release. It need not be among `places`. */
  readonly far: Place;
  readonly usualMinutes: number | undefined;
}

export interface Progress {
  readonly service: string;
  /** The section of the last line. */
  readonly section: Section;
  /** The newest release, then an older one that is halted or, if there is none, one that is moving. */
  readonly lines: readonly [ReleaseLine, ...ReleaseLine[]];
}

/** What the log says about releases, by their names: the board doesn't show every success and failure. */
type Logged = ReadonlyMap<string, Release['places']>;

/** The environments of the promotion order; all environments if the board has none of these. */
export const progressColumns = memoizeLast(
  (columns: readonly string[], { ofEnvironment }: Stages): readonly string[] => {
    const ordered = columns.filter((name) => ofEnvironment.has(name));
    return ordered.length > 0 ? ordered : columns;
  },
);

/** The progress of a service; `undefined` if it was never deployed. Unchanged rows are not computed again. */
export function progressOf(
  row: MatrixRow,
  columns: readonly string[],
  context: BoardContext,
  releases: readonly Release[] = noReleases,
): Progress | undefined {
  return releases === noReleases ? progressIn(columns)(context)(row) : progressFrom(row, columns, context, releases);
}

const noReleases: readonly Release[] = [];

const progressIn = memoizePer((columns: readonly string[]) =>
  memoizeLast((context: BoardContext) => memoizePerRow((row) => progressFrom(row, columns, context, noReleases))),
);

/** The line of a release that a newer one has followed. */
export function earlierLine(
  row: MatrixRow,
  columns: readonly string[],
  context: BoardContext,
  release: Release,
): ReleaseLine {
  return lineOf(releaseName(release), knownOf(row, columns, context, [release]), true);
}

interface Known {
  readonly columns: readonly string[];
  readonly stages: Stages;
  readonly boxes: readonly (Box | undefined)[];
  readonly lags: readonly (Lag | undefined)[];
  readonly logged: Logged;
}

function knownOf(
  row: MatrixRow,
  columns: readonly string[],
  { futureRows, facts, stages }: BoardContext,
  releases: readonly Release[],
): Known {
  const boxes = columns.map((environment) => boxIn(row, environment, futureRows));
  const lags = boxes.map(
    (box, column) => box && lagIn({ service: row.service, environment: columns[column] ?? '', box }, facts),
  );
  return { columns, stages, boxes, lags, logged: new Map(releases.map((each) => [releaseName(each), each.places])) };
}

function progressFrom(
  row: MatrixRow,
  columns: readonly string[],
  context: BoardContext,
  releases: readonly Release[],
): Progress | undefined {
  const known = knownOf(row, columns, context, releases);
  const lead = leadOf(known);
  if (!lead) return outsideOf(row, columns, context);
  const leading = lineOf(versionOf(lead.event), known);
  const newest = known.boxes[newestIn(known.boxes)];
  const first = newest && newest !== known.boxes[lead.column] ? lineOf(versionOf(eventNamed(newest)), known) : leading;
  const { service } = row;
  const { section } = leading;
  return { service, section, lines: first.release === leading.release ? [leading] : [first, leading] };
}

/**
 * The event that names the leading release, and its column: the last halted one, else the last moving one, else that of
 * the newest release.
 */
function leadOf({ boxes, lags }: Known): { readonly column: number; readonly event: DeploymentEvent } | undefined {
  const last = (isIt: (box: Box, column: number) => boolean) =>
    boxes.findLastIndex((box, column) => box !== undefined && isIt(box, column));
  const halted = last((box, column) => box.tone === 'bad' || isStuck(box, lags[column]));
  const moving = last((box) => box.tone === 'run' || isComing(box));
  const column = halted >= 0 ? halted : moving >= 0 ? moving : newestIn(boxes);
  const box = boxes[column];
  if (!box) return undefined;
  const { tone, next } = box;
  const isNext = tone !== 'bad' && tone !== 'run' && next !== undefined && isToStart(next);
  return { column, event: isNext ? next : eventNamed(box) };
}

/** A place can have a stuck deployment that another one has followed. */
function isStuck(box: Box, lag: Lag | undefined): boolean {
  return lag?.kind === 'stuck' && (box.tone === 'run' || isComing(box));
}

function isComing({ tone, latest, next }: Box): boolean {
  return (tone === 'wait' && isToStart(latest)) || (next !== undefined && isToStart(next));
}

const dayMs = 86_400_000;
/**
 * In days. If the event in a stage is older than an event in a later stage by this much, releases don't start there.
 */
const leftAfterDays = 30;

/**
 * The column of the newest release: the first column in use. The newest event doesn't show the newest release, because
 * it may be a rollback.
 */
function newestIn(boxes: readonly (Box | undefined)[]): number {
  const at = (box: Box) => msOf(eventShown(box));
  return boxes.findIndex((box, column) => {
    const later = boxes.slice(column + 1).flatMap((other) => (other ? [at(other)] : []));
    return box !== undefined && Math.max(...later) - at(box) <= leftAfterDays * dayMs;
  });
}

const haltedMarks: readonly PlaceMark[] = ['bad', 'stuck'];
const movingMarks: readonly PlaceMark[] = ['run', 'slow', 'waits', 'queued', 'pending'];
/** Which mark shows how far a release is: the first of these that occurs. */
const farMarks = [haltedMarks, movingMarks, ['ok', 'ahead', 'off'], ['passed'], ['newer']] as const;

function lineOf(release: string, known: Known, isEarlier = false): ReleaseLine {
  const places = placesOf(release, known, isEarlier);
  const far = farMarks.flatMap((marks) => lastWith(places, marks) ?? [])[0] ??
    places.find(({ event }) => event !== undefined) ??
    places[0] ?? { environment: '', mark: 'none', event: undefined };
  const lag = known.lags[known.columns.indexOf(far.environment)];
  const isLong = far.mark === 'stuck' || far.mark === 'slow';
  const section = sectionOf(places, known.stages.production);
  return { release, section, places, far, usualMinutes: isLong ? lag?.usualMinutes : undefined };
}

function lastWith(places: readonly Place[], marks: readonly PlaceMark[]): Place | undefined {
  return places.findLast(({ mark }) => marks.includes(mark));
}

function sectionOf(places: readonly Place[], production: ReadonlySet<string>): Section {
  if (lastWith(places, haltedMarks)) return 'halted';
  if (lastWith(places, movingMarks)) return 'moving';
  const last = places.filter(({ environment, mark }) => production.has(environment) && mark !== 'none');
  const isThere = last.length > 0 && last.every(({ mark }) => mark === 'ok' || mark === 'ahead');
  return production.size === 0 || isThere ? 'rest' : 'short';
}

function placesOf(release: string, { columns, stages, boxes, lags, logged }: Known, isEarlier: boolean): Place[] {
  const { production } = stages;
  const log = logged.get(release);
  const own = boxes.map((box, column) => box && ownMark(release, box, lags[column]));
  const isDueIn = (environment: string) =>
    production.has(environment) && !boxes.some((box, at) => box && hasRun(box) && production.has(columns[at] ?? ''));
  return columns.map((environment, column): Place => {
    const [box, known] = [boxes[column], own[column]];
    if (known && known.mark !== 'newer') return { environment, ...known };
    const event = log && Object.hasOwn(log, environment) ? log[environment]?.event : undefined;
    if (event?.status === 'failure') return { environment, mark: 'passed', event };
    if (event?.status === 'success') return { environment, mark: 'newer', event };
    if (known) return { environment, ...known };
    if (event) return { environment, mark: 'skipped', event };
    if (!box) return { environment, mark: isDueIn(environment) && !isEarlier ? 'not' : 'none', event: undefined };
    const further = own.slice(column + 1).find((mark) => mark !== undefined);
    const isPassed = isEarlier || (further && msOf(eventShown(box)) >= msOf(further.event));
    if (!isPassed) return { environment, mark: 'not', event: undefined };
    return log
      ? { environment, mark: 'skipped', event: undefined }
      : { environment, mark: 'newer', event: eventShown(box) };
  });
}

function hasRun({ tone, lastSuccess }: Box): boolean {
  return tone === 'ok' || lastSuccess !== undefined;
}

type Shown = Pick<Place, 'mark'> & { readonly event: DeploymentEvent };

/** The state of a release in a slot according to the box; `undefined` = the box shows another release. */
function ownMark(release: string, box: Box, lag: Lag | undefined): Shown | undefined {
  const isIt = (event: DeploymentEvent | undefined) => event !== undefined && versionOf(event) === release;
  const event = eventShown(box);
  const { named, next, lastSuccess, tone, isInFuture, hidden } = box;
  if (isIt(eventNamed(box))) {
    if (tone === 'run') return { mark: lag?.kind === 'stuck' || lag?.kind === 'slow' ? lag.kind : 'run', event };
    if (tone === 'wait') return { mark: comingMark(event, lag), event };
    return { mark: isInFuture && event === box.latest && tone === 'ok' ? 'ahead' : tone, event };
  }
  if (next && isIt(next)) return { mark: isToStart(next) ? comingMark(next, lag) : 'off', event: next };
  if (hidden && isIt(hidden)) return { mark: 'newer', event: hidden };
  if (isIt(named)) return { mark: 'ahead', event: named };
  return lastSuccess && isIt(lastSuccess) ? { mark: 'newer', event: lastSuccess } : undefined;
}

function comingMark({ status }: DeploymentEvent, lag: Lag | undefined): PlaceMark {
  if (lag?.kind === 'stuck') return 'stuck';
  if (status === 'waiting') return 'waits';
  if (status === 'queued' || status === 'pending') return status;
  return 'off';
}

/** The progress of a service that is deployed to none of the columns, from its newest event elsewhere. */
function outsideOf(row: MatrixRow, columns: readonly string[], context: BoardContext): Progress | undefined {
  const newest = environmentsOf(row)
    .filter((environment) => !columns.includes(environment))
    .flatMap((environment) => boxIn(row, environment, context.futureRows) ?? [])
    .sort((one, other) => msOf(eventShown(other)) - msOf(eventShown(one)))[0];
  const elsewhere =
    newest && progressFrom(row, [newest.latest.environment], { ...context, stages: noContext.stages }, []);
  if (!elsewhere) return undefined;
  const places = columns.map((environment) => ({ environment, mark: 'none' as const, event: undefined }));
  const [line] = elsewhere.lines;
  const section = line.section === 'rest' ? 'short' : line.section;
  return { ...elsewhere, section, lines: [{ ...line, section, places }] };
}
