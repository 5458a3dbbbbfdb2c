import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';
import type { Attention } from '../board/attention.ts';
import { environmentsOf, slotKey } from '../board/board.ts';
import { type Box, boxIn, eventShown } from '../board/box.ts';
import type { BoardContext } from '../board/context.ts';

/**
 * The progress of a release: `halted` (failed or stuck), `moving`, `short` (before production), `rest` (in production).
 */
export const sections = ['halted', 'moving', 'short', 'rest'] as const;
export type Section = (typeof sections)[number];

/**
 * The state of a release in a stage: `newer` = the stage received another release later, `not` = the release is not in
 * the stage yet, `none` = the service is not deployed to the stage.
 */
export type StageMark =
  | 'ok'
  | 'newer'
  | 'run'
  | 'slow'
  | 'stuck'
  | 'bad'
  | 'off'
  | 'waits'
  | 'queued'
  | 'pending'
  | 'ahead'
  | 'not'
  | 'none';

export interface Stage {
  readonly environment: string;
  readonly mark: StageMark;
  /** The event that the mark shows, if any. */
  readonly event: DeploymentEvent | undefined;
}

/** The stages of one release of a service: of a halted release, else of a moving one, else of the newest one. */
export interface ServiceStages {
  readonly service: string;
  /** The version of the release, or the best substitute. */
  readonly release: string;
  readonly section: Section;
  /** The stages, one for each column. */
  readonly stages: readonly Stage[];
  /** The stage that shows the progress of the release. It need not be a column. */
  readonly far: Stage;
  readonly usualMinutes: number | undefined;
}

export interface LinesAsked {
  readonly columns: readonly string[];
  readonly context: BoardContext;
  /** The items that need attention, by `slotKey`. */
  readonly attention: ReadonlyMap<string, Attention>;
}

/** The row of a service; `undefined` if the service was never deployed. */
export function stageLineOf(row: MatrixRow, asked: LinesAsked): ServiceStages | undefined {
  const { columns, context, attention } = asked;
  const { futureRows, production } = context;
  const boxes = columns.map((environment) => boxIn(row, environment, futureRows));
  const needs = columns.map((environment) => attention.get(slotKey(row.service, environment)));
  const lead = leadOf(boxes, needs);
  if (!lead) return outsideOf(row, asked);
  const release = versionOf(lead.event);
  const stages = stagesOf(release, { boxes, needs, columns, production });
  const section = lead.section ?? restOf(stages, production);
  const at = lead.section ? lead.column : furthestOf(stages, lead.column);
  const far = stages[at] ?? { environment: columns[lead.column] ?? '', mark: 'ok', event: lead.event };
  const needed = needs[at];
  const isLong = needed?.kind === 'stuck' || needed?.kind === 'slow';
  return {
    service: row.service,
    release,
    section,
    stages,
    far,
    usualMinutes: isLong ? needed.usualMinutes : undefined,
  };
}

interface Lead {
  readonly column: number;
  /** The event that names the release. */
  readonly event: DeploymentEvent;
  readonly section: 'halted' | 'moving' | undefined;
}

/**
 * The slot that determines a row's release: the last halted slot, else the last moving one, else the newest release's.
 */
function leadOf(boxes: readonly (Box | undefined)[], needs: readonly (Attention | undefined)[]): Lead | undefined {
  const last = (isIt: (box: Box, column: number) => boolean) =>
    boxes.findLastIndex((box, column) => box !== undefined && isIt(box, column));
  const halted = last((box, column) => box.tone === 'bad' || needs[column]?.kind === 'stuck');
  const moving = last((box) => box.tone === 'run' || isComing(box));
  const column = halted >= 0 ? halted : moving >= 0 ? moving : newestIn(boxes);
  const box = boxes[column];
  if (!box) return undefined;
  const isNext = halted < 0 && moving >= 0 && box.tone !== 'run' && box.next !== undefined;
  const event = isNext && box.next ? box.next : releasedBy(box);
  return { column, event, section: halted >= 0 ? 'halted' : moving >= 0 ? 'moving' : undefined };
}

function isComing({ tone, latest, next }: Box): boolean {
  return (tone === 'wait' && isUnfinished(latest)) || (next !== undefined && isUnfinished(next));
}

function isUnfinished({ status }: DeploymentEvent): boolean {
  return status === 'pending' || status === 'queued' || status === 'waiting';
}

/** The event that names the release in a box: a final event may lack a version. */
function releasedBy(box: Box): DeploymentEvent {
  const shown = eventShown(box);
  return shown === box.latest ? box.named : shown;
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
  const at = (box: Box) => Date.parse(eventShown(box).happened_at);
  return boxes.findIndex((box, column) => {
    const later = boxes.slice(column + 1).flatMap((other) => (other ? [at(other)] : []));
    return box !== undefined && Math.max(...later) - at(box) <= leftAfterDays * dayMs;
  });
}

interface StagesAsked extends Pick<LinesAsked, 'columns'> {
  readonly boxes: readonly (Box | undefined)[];
  readonly needs: readonly (Attention | undefined)[];
  readonly production: string | undefined;
}

function stagesOf(release: string, { boxes, needs, columns, production }: StagesAsked): Stage[] {
  const own = boxes.map((box, column) => box && ownMark(release, box, needs[column]));
  return columns.map((environment, column) => {
    const [box, known] = [boxes[column], own[column]];
    if (known) return { environment, ...known };
    const further = own.slice(column + 1).find((mark) => mark !== undefined);
    const isPassed = box && further && msOf(eventShown(box)) >= msOf(further.event);
    if (isPassed) return { environment, mark: 'newer', event: eventShown(box) };
    const isDue = box !== undefined || (environment === production && !further);
    return { environment, mark: isDue ? 'not' : 'none', event: undefined };
  });
}

type Known = { readonly mark: StageMark; readonly event: DeploymentEvent };

/** The state of a release in a slot according to the box; `undefined` = the box shows another release. */
function ownMark(release: string, box: Box, needed: Attention | undefined): Known | undefined {
  const isIt = (event: DeploymentEvent | undefined) => event !== undefined && versionOf(event) === release;
  const event = eventShown(box);
  const { named, next, lastSuccess, tone, isInFuture, hidden } = box;
  if (isIt(releasedBy(box))) {
    if (tone === 'run')
      return { mark: needed?.kind === 'stuck' || needed?.kind === 'slow' ? needed.kind : 'run', event };
    if (tone === 'wait') return { mark: comingMark(event), event };
    return { mark: isInFuture && event === box.latest && tone === 'ok' ? 'ahead' : tone, event };
  }
  if (next && isIt(next)) return { mark: isUnfinished(next) ? comingMark(next) : 'off', event: next };
  if (hidden && isIt(hidden)) return { mark: 'newer', event: hidden };
  if (isIt(named)) return { mark: 'ahead', event: named };
  return lastSuccess && isIt(lastSuccess) ? { mark: 'newer', event: lastSuccess } : undefined;
}

function comingMark({ status }: DeploymentEvent): StageMark {
  if (status === 'waiting') return 'waits';
  if (status === 'queued' || status === 'pending') return status;
  return 'off';
}

/** The section of a release that isn't moving: `short` if it has not reached production, otherwise `rest`. */
function restOf(stages: readonly Stage[], production: string | undefined): Section {
  const last = stages.find(({ environment }) => environment === production);
  const isThere = last?.mark === 'ok' || last?.mark === 'ahead';
  return production === undefined || isThere ? 'rest' : 'short';
}

/** The last column that a release reached, or in which its deployment was cancelled or rejected. */
function furthestOf(stages: readonly Stage[], otherwise: number): number {
  const furthest = stages.findLastIndex(({ mark }) => mark === 'ok' || mark === 'ahead' || mark === 'off');
  return furthest < 0 ? otherwise : furthest;
}

/** The stages of a service that is deployed to none of the columns, from its newest event elsewhere. */
function outsideOf(row: MatrixRow, { columns, context, attention }: LinesAsked): ServiceStages | undefined {
  const elsewhere = environmentsOf(row).filter((environment) => !columns.includes(environment));
  const newest = elsewhere
    .flatMap((environment) => boxIn(row, environment, context.futureRows) ?? [])
    .sort((one, other) => msOf(eventShown(other)) - msOf(eventShown(one)))[0];
  if (!newest) return undefined;
  const { environment } = newest.latest;
  const line = stageLineOf(row, {
    columns: [environment],
    context: { ...context, production: undefined },
    attention,
  });
  const stages = columns.map((name) => ({ environment: name, mark: 'none' as const, event: undefined }));
  return line && { ...line, stages, section: line.section === 'rest' ? 'short' : line.section };
}

function msOf({ happened_at }: DeploymentEvent): number {
  return Date.parse(happened_at);
}
