import type { MatrixRow } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { ageOf, grouped, plain, pluralize, versionOf } from '@shiplog/text';
import { clockTime } from '../board/age.ts';
import { type Attention, urgencyOf } from '../board/attention.ts';
import { slotKey } from '../board/board.ts';
import { type Box, boxIn, eventNamed, eventShown, isRunning } from '../board/box.ts';
import { columnsFor, otherStages, rarelyUsed } from '../board/columns.ts';
import type { BoardContext } from '../board/context.ts';
import { isHealthy } from '../board/healthy.ts';
import { teamOf } from '../board/ownership.ts';
import { cellSentence } from '../board/sentence.ts';
import type { Shown } from '../board/shown.ts';
import { type StageBox, stageBoxOf } from '../board/stage-box.ts';
import { shortNames } from '../board/stages.ts';
import { columnTitle } from '../board/titles.ts';
import { statusLabel } from '../ui/status.tsx';

/** The tones of a cell, worst first. */
const tones = ['bad', 'stuck', 'slow', 'run', 'wait', 'ahead', 'off', 'ok'] as const;
type WallTone = (typeof tones)[number];

export interface WallCell {
  readonly tone: WallTone;
  readonly shape: Shape;
  readonly version: string;
  /** The environment of a stage that the cell is about, or how many. */
  readonly where?: string;
  /** The text of an alarm or an upcoming deployment; '' = neither. */
  readonly label: string;
  readonly sentence: string;
}

/** The text at the end of a cell: "eu 12 min". */
export function labelText({ where = '', label }: WallCell): string {
  return `${where} ${label}`.trim();
}

export interface WallRow {
  readonly service: string;
  /** The cells, one for each column; `undefined` = never deployed. */
  readonly cells: readonly (WallCell | undefined)[];
  readonly isPinned: boolean;
}

export interface HealthyService {
  readonly service: string;
  /** The version that runs in production, or how many; '' = no version. */
  readonly version: string;
}

/** An environment or all environments of a stage. */
interface WallColumn {
  readonly name: string;
  readonly environments: readonly string[];
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

export function wallContent(shown: Shown, moment: Moment): WallContent {
  const { rows, columns: environments, found } = shown;
  const { context, attention, nowMs } = moment;
  const urgency = urgencyOf(attention);
  const alarms = new Map(
    attention.flatMap((each) =>
      each.environment === undefined ? [] : [[slotKey(each.service, each.environment), each] as const],
    ),
  );
  const isAtRest = (row: MatrixRow) => !urgency.has(row.service) && isHealthy(row, environments, context, nowMs);
  const columns = wallColumns(shown, context);
  const last = columns.find(({ isLast }) => isLast)?.environments ?? [];
  const due = ({ service }: MatrixRow) => urgency.get(service) ?? attention.length;
  const cellsOf = (row: MatrixRow) => columns.map((column) => columnCell(row, column.environments, alarms, moment));
  const healthy = rows.filter(isAtRest);
  return {
    columns,
    rows: rows
      .filter((row) => !isAtRest(row))
      .sort((left, right) => due(left) - due(right))
      .map((row) => ({
        service: row.service,
        cells: cellsOf(row),
        isPinned: attention.some((each) => each.service === row.service && isAlarm(each)),
      })),
    healthy: healthy.map((row) => ({
      service: row.service,
      version: versionText(stageBoxOf(row, last, context.futureRows)),
    })),
    teams: teamCounts(healthy, context),
    running: found.running.filter(({ service, environment, box }) => {
      const kind = alarms.get(slotKey(service, environment))?.kind;
      return isRunning(box) && kind !== 'stuck' && kind !== 'slow';
    }).length,
  };
}

/** One column for each stage, and one for rarely used environments, so that many environments fit. */
function wallColumns({ columns, matching }: Shown, { stages }: BoardContext): WallColumn[] {
  const rare = rarelyUsed(columns, matching, stages, { order: [] });
  const folded = new Set([...stages.all.map(({ name }) => name), otherStages]);
  const all = columnsFor(columns, stages, rare, folded);
  const last =
    all.findLast(({ environments }) => environments.some((name) => stages.production.has(name))) ?? all.at(-1);
  return all.map((column) => ({
    name: columnTitle(column),
    environments: column.environments,
    isOther: column.stage === '' || column.stage === otherStages,
    isLast: column === last,
  }));
}

/** A failure, an outage or a bad version in production. */
function isAlarm(item: Attention): boolean {
  return item.kind === 'bad' || outageInProduction(item) || failedInProduction(item);
}

export function outageInProduction({ kind, isProduction }: Attention): boolean {
  return kind === 'outage' && isProduction;
}

export function failedInProduction({ kind, isProduction }: Attention): boolean {
  return kind === 'failed' && isProduction;
}

type Alarms = ReadonlyMap<string, Attention>;

/** The cell of the worst environment, with its short name; if all are at rest, the version or the number of versions. */
function columnCell(
  row: MatrixRow,
  environments: readonly string[],
  alarms: Alarms,
  moment: Moment,
): WallCell | undefined {
  const stage = stageBoxOf(row, environments, moment.context.futureRows);
  const cells = environments.flatMap((name) => {
    const cell = cellOf(row, name, alarms, moment);
    return cell ? [{ name, cell }] : [];
  });
  const [worst] = cells.toSorted((one, other) => tones.indexOf(one.cell.tone) - tones.indexOf(other.cell.tone));
  if (!worst || !stage || environments.length === 1) return worst?.cell;
  const { cell, name } = worst;
  const sentence = cells.map((each) => each.cell.sentence).join('; ');
  if (cell.tone === 'ok' && cell.label === '') return { ...cell, version: versionText(stage), sentence };
  const alike = cells.filter((each) => each.cell.tone === cell.tone).length;
  const where = alike > 1 ? `${alike} of ${cells.length}` : shortened(shortNames(environments).get(name) ?? name);
  return { ...cell, where, sentence };
}

const nameCharactersMax = 8;

function shortened(name: string): string {
  const characters = [...plain(name)];
  return characters.length > nameCharactersMax
    ? `${characters.slice(0, nameCharactersMax - 1).join('')}…`
    : characters.join('');
}

/** The version that runs in a stage, or how many; '' for an empty stage. */
function versionText(stage: StageBox | undefined): string {
  const versions = stage?.versions ?? [];
  return versions.length > 1 ? pluralize(versions.length, 'version') : (versions[0]?.version ?? '');
}

function cellOf(
  row: MatrixRow,
  environment: string,
  alarms: Alarms,
  { context, nowMs, isOut }: Moment,
): WallCell | undefined {
  const box = boxIn(row, environment, context.futureRows);
  if (!box) return undefined;
  const alarm = alarms.get(slotKey(row.service, environment));
  const tone = toneOf(box, alarm);
  return {
    tone,
    shape: shapeOf(tone, box, isOut),
    version: versionOf(eventNamed(box)),
    label: isOut ? labelInOutage(tone, box, nowMs) : labelOf(box, alarm, nowMs),
    sentence: cellSentence(row.service, environment, box, { nowMs, isOut }),
  };
}

function toneOf({ tone, isInFuture }: Box, alarm: Attention | undefined): WallTone {
  if (tone === 'bad' || alarm?.kind === 'bad' || alarm?.kind === 'outage') return 'bad';
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
  outage: 'outage ',
};

function labelOf(box: Box, alarm: Attention | undefined, nowMs: number): string {
  const { tone, warned, next, latest, isInFuture } = box;
  if (alarm?.kind === 'ahead') return 'clock ahead';
  if (alarm?.kind === 'bad') return 'bad version';
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

function teamCounts(rows: readonly MatrixRow[], { ownership }: BoardContext): WallContent['teams'] {
  const teams = grouped(rows, ({ service }) => teamOf(ownership, service) ?? '');
  if (teams.size === 0 || (teams.size === 1 && teams.has(''))) return [];
  return [...teams]
    .sort(([left, more], [right, fewer]) => fewer.length - more.length || left.localeCompare(right))
    .map(([name, { length }]) => ({ name: name || 'without a team', count: length }));
}
