import type { MatrixRow } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { ageOf, versionOf } from '@shiplog/text';
import { clockTime } from '../board/age.ts';
import { type Attention, urgencyOf } from '../board/attention.ts';
import { slotKey } from '../board/board.ts';
import { type Box, boxIn, eventShown, isRunning } from '../board/box.ts';
import { stageRank } from '../board/columns.ts';
import type { BoardContext } from '../board/context.ts';
import { isHealthy } from '../board/healthy.ts';
import { teamOf } from '../board/ownership.ts';
import { cellSentence } from '../board/sentence.ts';
import type { Shown } from '../board/shown.ts';
import { statusLabel } from '../ui/status.tsx';

export type WallTone = 'ok' | 'off' | 'run' | 'slow' | 'stuck' | 'bad' | 'wait' | 'ahead';

export interface WallCell {
  readonly tone: WallTone;
  readonly shape: Shape;
  readonly version: string;
  /** The text of an alarm or an upcoming deployment; '' = neither. */
  readonly label: string;
  readonly sentence: string;
}

export interface WallRow {
  readonly service: string;
  /** The cells, one for each column; `undefined` = never deployed. */
  readonly cells: readonly (WallCell | undefined)[];
  readonly isPinned: boolean;
}

export interface HealthyService {
  readonly service: string;
  /** The version that runs in production; '' = no version. */
  readonly version: string;
}

interface WallColumn {
  readonly name: string;
  readonly isOther: boolean;
  readonly isLast: boolean;
}

export interface WallContent {
  readonly columns: readonly WallColumn[];
  /** Services that aren't healthy: first those that need attention, by urgency, then the others by name. */
  readonly rows: readonly WallRow[];
  readonly healthy: readonly HealthyService[];
  /** The number of healthy services by team, largest first; empty if no teams are known. */
  readonly teams: readonly { readonly name: string; readonly count: number }[];
  /** The number of running deployments that are neither stuck nor slow. */
  readonly running: number;
}

interface Moment {
  readonly context: BoardContext;
  readonly attention: readonly Attention[];
  readonly nowMs: number;
  /** The service is unreachable, so the state of running deployments is unknown. */
  readonly isOut: boolean;
}

export function wallContent({ rows, columns, found }: Shown, moment: Moment): WallContent {
  const { context, attention, nowMs } = moment;
  const urgency = urgencyOf(attention);
  const alarms = new Map(
    attention.flatMap((each) =>
      each.environment === undefined ? [] : [[slotKey(each.service, each.environment), each] as const],
    ),
  );
  const isAtRest = (row: MatrixRow) => !urgency.has(row.service) && isHealthy(row, columns, context, nowMs);
  const rank = stageRank(context.promotionOrder, -1);
  const last = columns.find((name) => name === context.production) ?? columns.at(-1);
  const due = ({ service }: MatrixRow) => urgency.get(service) ?? attention.length;
  const cellsOf = (row: MatrixRow) => columns.map((environment) => cellOf(row, environment, alarms, moment));
  const healthy = rows.filter(isAtRest);
  return {
    columns: columns.map((name) => ({ name, isOther: rank(name) < 0, isLast: name === last })),
    rows: rows
      .filter((row) => !isAtRest(row))
      .sort((left, right) => due(left) - due(right))
      .map((row) => ({
        service: row.service,
        cells: cellsOf(row),
        isPinned: attention.some((each) => each.service === row.service && failedInProduction(each)),
      })),
    healthy: healthy.map((row) => ({ service: row.service, version: runningIn(row, last, context) })),
    teams: teamCounts(healthy, context),
    running: found.running.filter(({ service, environment, box }) => {
      const kind = alarms.get(slotKey(service, environment))?.kind;
      return isRunning(box) && kind !== 'stuck' && kind !== 'slow';
    }).length,
  };
}

export function failedInProduction({ kind, isProduction }: Attention): boolean {
  return kind === 'failed' && isProduction;
}

function cellOf(
  row: MatrixRow,
  environment: string,
  alarms: ReadonlyMap<string, Attention>,
  { context, nowMs, isOut }: Moment,
): WallCell | undefined {
  const box = boxIn(row, environment, context.futureRows);
  if (!box) return undefined;
  const alarm = alarms.get(slotKey(row.service, environment));
  const tone = toneOf(box, alarm);
  return {
    tone,
    shape: shapeOf(tone, box, isOut),
    version: versionOf(box.named),
    label: isOut ? labelInOutage(tone, box, nowMs) : labelOf(box, alarm, nowMs),
    sentence: cellSentence(row.service, environment, box, nowMs),
  };
}

function toneOf({ tone, isInFuture }: Box, alarm: Attention | undefined): WallTone {
  if (tone === 'bad') return tone;
  if (alarm?.kind === 'stuck' || alarm?.kind === 'slow') return alarm.kind;
  if (alarm?.kind === 'waits') return 'wait';
  return isInFuture && tone !== 'run' ? 'ahead' : tone;
}

function shapeOf(tone: WallTone, { latest, next }: Box, isOut: boolean): Shape {
  if (tone === 'run' || tone === 'slow' || tone === 'stuck') return isOut ? 'ring' : 'run';
  if (tone === 'ahead') return 'arrow';
  if (tone === 'wait') return statusLook((next ?? latest).status)[0];
  return tone === 'off' ? statusLook(latest.status)[0] : tone;
}

const kindWords: Readonly<Partial<Record<Attention['kind'], string>>> = {
  stuck: 'stuck ',
  slow: 'slow ',
  waits: 'waiting ',
};

function labelOf(box: Box, alarm: Attention | undefined, nowMs: number): string {
  const { tone, warned, next, latest, isInFuture } = box;
  if (alarm?.kind === 'ahead') return 'clock ahead';
  if (alarm) return `${kindWords[alarm.kind] ?? ''}${ageOf(alarm.sinceMs, nowMs)}`;
  if (warned) return '▲ failed before';
  if (isInFuture) return 'dated ahead';
  if (tone === 'wait') return statusLabel(latest.status);
  return next ? statusLabel(next.status) : '';
}

/** The label during an outage: no age, which implies that nothing has happened since, and no state that may be over. */
function labelInOutage(tone: WallTone, box: Box, nowMs: number): string {
  if (tone === 'bad') return `at ${clockTime(Date.parse(eventShown(box).happened_at), nowMs)}`;
  return tone === 'ok' || tone === 'off' ? '' : 'unknown';
}

function runningIn(row: MatrixRow, environment: string | undefined, { futureRows }: BoardContext): string {
  const box = environment === undefined ? undefined : boxIn(row, environment, futureRows);
  const success = box?.tone === 'ok' ? box.named : box?.lastSuccess;
  return success ? versionOf(success) : '';
}

function teamCounts(rows: readonly MatrixRow[], { ownership }: BoardContext): WallContent['teams'] {
  const counts = new Map<string, number>();
  for (const { service } of rows) {
    const team = teamOf(ownership, service) ?? '';
    counts.set(team, (counts.get(team) ?? 0) + 1);
  }
  if (counts.size === 0 || (counts.size === 1 && counts.has(''))) return [];
  return [...counts]
    .sort(([left, more], [right, fewer]) => fewer - more || left.localeCompare(right))
    .map(([name, count]) => ({ name: name || 'without a team', count }));
}
