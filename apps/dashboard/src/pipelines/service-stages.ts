import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';
import type { Attention } from '../board/attention.ts';
import { environmentsOf, slotKey } from '../board/board.ts';
import { type Box, boxIn, eventShown } from '../board/box.ts';
import type { BoardContext } from '../board/context.ts';

/** Where a release is on its way: `halted` and `moving` before all, `short` of production, or `rest`ing there. */
export const sections = ['halted', 'moving', 'short', 'rest'] as const;
export type Section = (typeof sections)[number];

/**
 * How a release stands in a stage: `newer` = another one came there later, `not` = it is yet to come, `none` = the
 * service is not deployed there.
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
  /** What the mark is of; `undefined` where it is of nothing. */
  readonly event: DeploymentEvent | undefined;
}

/** The way of one release of a service: the one that halts, or moves, or else its newest. */
export interface ServiceStages {
  readonly service: string;
  /** Its version, or the best substitute. */
  readonly release: string;
  readonly section: Section;
  /** One for each column. */
  readonly stages: readonly Stage[];
  /** The stage that says how far it is; it may be none of the columns. */
  readonly far: Stage;
  /** What a deployment usually takes there, where that is of interest. */
  readonly usualMinutes: number | undefined;
}

export interface LinesAsked {
  readonly columns: readonly string[];
  readonly context: BoardContext;
  /** What needs attention, by `slotKey`. */
  readonly attention: ReadonlyMap<string, Attention>;
}

/** The stages of a service; `undefined` if it is deployed nowhere. */
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
  /** It has the name of the release. */
  readonly event: DeploymentEvent;
  readonly section: 'halted' | 'moving' | undefined;
}

/** The slot whose release a line is about: the one nearest production that halts, or else moves, or else the newest. */
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

/** Something waits for its turn in a slot. */
function isComing({ tone, latest, next }: Box): boolean {
  return (tone === 'wait' && isUnfinished(latest)) || (next !== undefined && isUnfinished(next));
}

function isUnfinished({ status }: DeploymentEvent): boolean {
  return status === 'pending' || status === 'queued' || status === 'waiting';
}

/** The event that names what a box is about: what ended a deployment may name no version. */
function releasedBy(box: Box): DeploymentEvent {
  const shown = eventShown(box);
  return shown === box.latest ? box.named : shown;
}

const dayMs = 86_400_000;
/** A stage that had nothing for so long while a later one did is not where releases begin. */
const leftAfterDays = 30;

/**
 * The column of the newest release: releases come in from the left, so it is the first column that is deployed to. The
 * board does not know when a version first appeared: the newest event may be a rollback.
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

/** How a release stands in a slot by what its box shows; `undefined` = the box shows nothing of it. */
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

/** Whether a release that neither halts nor moves has come to production. Without one nothing is short of it. */
function restOf(stages: readonly Stage[], production: string | undefined): Section {
  const last = stages.find(({ environment }) => environment === production);
  const isThere = last?.mark === 'ok' || last?.mark === 'ahead';
  return production === undefined || isThere ? 'rest' : 'short';
}

/** The last column that a release came to, or in which it was called off. */
function furthestOf(stages: readonly Stage[], otherwise: number): number {
  const furthest = stages.findLastIndex(({ mark }) => mark === 'ok' || mark === 'ahead' || mark === 'off');
  return furthest < 0 ? otherwise : furthest;
}

/** A service that is deployed to none of the columns: its newest event elsewhere. */
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
