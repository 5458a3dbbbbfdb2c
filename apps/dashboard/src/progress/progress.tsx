import type { MatrixRow } from '@shiplog/contract';
import { literalName, plain, pluralize } from '@shiplog/text';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type Line, toggledLine } from '../board/arrangement.ts';
import { type Column, columnsFor } from '../board/columns.ts';
import type { BoardContext } from '../board/context.ts';
import type { Filter } from '../board/filter.ts';
import { memoizeLast } from '../board/memoize.ts';
import { progressColumns, progressOf } from '../board/progress.ts';
import { markLooks, sectionTitle } from '../board/progress-words.ts';
import { shortNames } from '../board/stages.ts';
import { columnTitle } from '../board/titles.ts';
import { Part } from '../log/part.tsx';
import { useAddress, useApp, useBoardContext, useShown } from '../ui/app.ts';
import { Cut } from '../ui/text.tsx';
import { useArrangement } from '../ui/use-arrangement.ts';
import { phone, useMedia } from '../ui/use-media.ts';
import { GroupRow, HealthyRow } from './group-lines.tsx';
import { OpenedRow } from './opened-row.tsx';
import { ProgressRow, type RowLook } from './progress-row.tsx';
import { marksMax, markTone, Sign, trackStyle, trackWidth } from './track.tsx';
import './progress.css';

/** Rows that are rendered or skipped together while scrolling. */
const partLines = 24;
/** The heights of a row before it is rendered, in pixels. */
const rowHeights = { wide: 40, phone: 108 } as const;
/** The least width of a row without its track, and the margins of the page, in pixels. */
const besideTrack = 598;
const nameWidths = { wide: 218, phone: 180 } as const;

/** How far the releases of each service are: the rows and groups of the grid, with a track of stages. */
export function Progress() {
  const { navigation } = useApp();
  const { board, filter, opened } = useAddress();
  const context = useBoardContext();
  const { stages: order } = context;
  const shown = useShown();
  const environments = progressColumns(shown.columns, order);
  const { lines, prefixOf } = useArrangement(shown, sectionsOf(shown.rows, environments, context));
  const isPhone = useMedia(phone);
  const stages = useMemo(
    () => columnsFor(environments, order, new Set(), new Set(order.all.map(({ name }) => name))),
    [environments, order],
  );
  const isNarrow = useMedia(`(max-width: ${trackWidth(stages) + besideTrack}px)`) || isPhone;
  const open = opened ?? chosenService(filter, shown.rows);
  const all = useMemo(() => withOpened(lines, open), [lines, open]);
  const list = useKeptFocus(open);
  const size = isPhone ? 'phone' : 'wide';
  const look: RowLook = { stages, most: marksMax[size], nameWidth: nameWidths[size] };
  const toggle = (line: Exclude<Line, { kind: 'row' }>) => () =>
    navigation.go({ board: { ...board, ...toggledLine(line, board) } }, 'replace');
  const one = (line: Line) => (
    <li key={line.key} data-service={line.kind === 'row' ? line.row.service : undefined}>
      {line.kind === 'row' ? (
        <Service
          {...{ line, environments, look }}
          isOpen={line.row.service === open}
          prefix={prefixIn(line, prefixOf)}
        />
      ) : line.kind === 'group' ? (
        <GroupRow {...{ line, environments }} prefix={prefixIn(line, prefixOf)} onToggle={toggle(line)} />
      ) : (
        <HealthyRow line={line} prefix={prefixIn(line, prefixOf)} onToggle={toggle(line)} />
      )}
    </li>
  );
  return (
    <>
      <div ref={list} class={`card progress${isNarrow ? ' narrow' : ''}`} style={trackStyle(stages, isPhone)}>
        <Head services={shown.counts.services} stages={stages} />
        {partsOf(all).map((part, index) => (
          <Part
            key={part[0]?.key}
            className="progress-lines"
            rows={part.length}
            {...(index > 0 ? { rowPx: rowHeights[isNarrow ? 'phone' : 'wide'] } : {})}
          >
            {() => part.map(one)}
          </Part>
        ))}
      </div>
      <Legend />
    </>
  );
}

/** The group of each service by its progress. */
const sectionsOf = memoizeLast((rows: readonly MatrixRow[], environments: readonly string[], context: BoardContext) => {
  const byService = new Map(rows.map((row) => [row.service, row]));
  return (service: string) => {
    const row = byService.get(service);
    const progress = row && progressOf(row, environments, context);
    return progress && sectionTitle(progress.section, context.stages.productionName);
  };
});

interface ServiceProps {
  readonly line: Extract<Line, { kind: 'row' }>;
  readonly environments: readonly string[];
  readonly look: RowLook;
  readonly isOpen: boolean;
  readonly prefix: string;
}

function Service({ line: { row }, environments, look, isOpen, prefix }: ServiceProps) {
  const progress = progressOf(row, environments, useBoardContext());
  if (!progress) return null;
  if (isOpen) return <OpenedRow {...{ row, progress, environments, prefix }} {...look} />;
  return <ProgressRow {...{ progress, prefix }} {...look} isOpen={false} />;
}

/** The prefix that the group of a line drops. */
function prefixIn(line: Line, prefixOf: (service: string) => string): string {
  if (line.kind === 'row') return line.level > 1 ? prefixOf(line.row.service) : '';
  return line.group.isNew ? '' : prefixOf(line.rows[0]?.service ?? '');
}

/** The service that the filter names, or the only one that it matches. */
function chosenService({ services: [glob, ...others] }: Filter, rows: readonly MatrixRow[]): string | undefined {
  if (glob === undefined || others.length > 0) return undefined;
  return (
    rows.find(({ service }) => service === literalName(glob))?.service ??
    (rows.length === 1 ? rows[0]?.service : undefined)
  );
}

/** The lines with the open service, which may be in a folded group. */
export function withOpened(lines: readonly Line[], open: string | undefined): readonly Line[] {
  const isOpen = ({ service }: MatrixRow) => service === open;
  if (lines.some((line) => line.kind === 'row' && isOpen(line.row))) return lines;
  const at = lines.findLastIndex((line) => line.kind !== 'row' && line.rows.some(isOpen));
  const folded = lines[at];
  const row = folded && folded.kind !== 'row' ? folded.rows.find(isOpen) : undefined;
  return row ? lines.toSpliced(at + 1, 0, { kind: 'row', key: `row ${row.service}`, row, level: 2 }) : lines;
}

function partsOf(lines: readonly Line[]): (readonly Line[])[] {
  const count = Math.ceil(lines.length / partLines);
  return Array.from({ length: count }, (_, index) => lines.slice(index * partLines, (index + 1) * partLines));
}

function Head({ services, stages }: { readonly services: number; readonly stages: readonly Column[] }) {
  return (
    <div class="progress-head soft strong">
      <b>{pluralize(services, 'service')}</b>
      <span>Newest release</span>
      <span class="progress-track">
        {stages.map((stage) => {
          const { key, environments } = stage;
          const short = shortNames(environments);
          return (
            <span key={key} class="stack" title={environments.map(plain).join(', ')}>
              <Cut text={columnTitle(stage)} className="stage-title" />
              {environments.length > 1 && (
                <span class="cut small">{environments.map((name) => plain(short.get(name) ?? name)).join(' · ')}</span>
              )}
            </span>
          );
        })}
      </span>
      <span>Progress</span>
    </div>
  );
}

const explained = [
  'ok',
  'newer',
  'run',
  'stuck',
  'bad',
  'passed',
  'waits',
  'queued',
  'pending',
  'off',
  'not',
  'none',
] as const;

function Legend() {
  return (
    <ul class="wrap progress-legend soft fine" aria-label="What the marks mean">
      {explained.map((mark) => (
        <li key={mark} class={`row gap-4 ${markTone(mark)}`}>
          <Sign mark={mark} />
          {markLooks[mark][1]}
        </li>
      ))}
    </ul>
  );
}

/** Returns the focus to the pressed link, because opening or closing a row renders it again. */
function useKeptFocus(opened: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(opened);
  useLayoutEffect(() => {
    const isLost = opened !== before.current && document.activeElement === document.body;
    const wanted = opened ?? before.current;
    before.current = opened;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-service]') ?? [])];
    if (isLost)
      rows
        .find(({ dataset }) => dataset.service === wanted)
        ?.querySelector('a')
        ?.focus({ preventScroll: true });
  }, [opened]);
  return list;
}
