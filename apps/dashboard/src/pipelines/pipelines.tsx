import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, pluralize } from '@shiplog/text';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Part } from '../log/part.tsx';
import { Time } from '../ui/age.tsx';
import { useBoardContext } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import type { ColumnPosition } from './column-position.ts';
import { OpenedPipeline } from './opened-pipeline.tsx';
import { PipelineRow } from './pipeline-row.tsx';
import type { SectionRows } from './row-order.ts';
import type { ServiceStages } from './service-stages.ts';
import { howFar, markLooks, sectionTitle, toneOf } from './stage-words.ts';
import type { Pipelines as PipelinesShown } from './use-pipelines.ts';

/** Rows that are rendered or skipped together while scrolling: a multiple of the number of list columns. */
const partLines = 24;
/** Row heights in pixels: `wide` if the columns are side by side, `narrow` if they are stacked on a narrow page. */
const lineHeights = { wide: 40, narrow: 101 } as const;
const restHeights = { wide: 28, narrow: 44 } as const;
const restWidthMin = 300;

/** A row for each service; one can be open with its graph. */
export function Pipelines({
  columns,
  parts,
  moves,
  update,
  opened,
}: PipelinesShown & { readonly opened: string | undefined }) {
  const [heads, place] = useColumnPosition(columns.length);
  const list = useKeptFocus(opened);
  useCommand('update-order', moves > 0 ? update : undefined);
  return (
    <div ref={list} class="card pipelines" style={{ '--stages': columns.length }}>
      <Legend />
      <div class="pipelines-head soft strong">
        <span>Service</span>
        <span>Release</span>
        <span ref={heads} class="pipeline-stages">
          {columns.map((name) => (
            <Cut key={name} text={name} className="pipeline-stage" />
          ))}
        </span>
        <span>How far</span>
      </div>
      {parts.map((part) => (
        <PipelinesSection key={part.section} part={part} columns={columns} place={place} opened={opened} />
      ))}
      {moves > 0 && (
        <div class="order-update">
          <button type="button" class="chip call" onClick={update}>
            {pluralize(moves, 'line')} would move. <b>Update order</b>
          </button>
        </div>
      )}
    </div>
  );
}

const explained = ['ok', 'newer', 'run', 'bad', 'waits', 'queued', 'not'] as const;

function Legend() {
  return (
    <ul class="wrap marks-legend small" aria-label="What the marks mean">
      {explained.map((mark) => (
        <li key={mark} class={`row gap-6 ${toneOf(mark)}`}>
          {markLooks[mark][0] && <Mark shape={markLooks[mark][0]} />}
          {markLooks[mark][1]}
        </li>
      ))}
    </ul>
  );
}

interface SectionProps {
  readonly part: SectionRows;
  readonly columns: readonly string[];
  readonly place: ColumnPosition | undefined;
  readonly opened: string | undefined;
}

const sectionMarks = { halted: 'bad', moving: 'run', short: 'off', rest: 'ok' } as const;

function PipelinesSection({ part: { section, lines }, columns, place, opened }: SectionProps) {
  const { production } = useBoardContext();
  const [title, hint] = sectionTitle(section, production);
  const [shape] = markLooks[sectionMarks[section]];
  const isRest = section === 'rest';
  const one = (line: ServiceStages) => {
    if (line.service === opened)
      return <OpenedPipeline key={line.service} line={line} columns={columns} place={place} />;
    return (
      <li key={line.service} data-service={line.service}>
        {isRest ? <ReleasedRow line={line} /> : <PipelineRow line={line} isOpen={false} />}
      </li>
    );
  };
  return (
    <section class={`pipelines-section ${section}`} aria-label={title}>
      <h2 class={`row ${sectionMarks[section]}`}>
        {shape && <Mark shape={shape} />}
        <Cut text={title} className="part" />
        <span class="section-count">{lines.length}</span>
        <span class="small cut">{hint}</span>
      </h2>
      {partsOf(lines).map((part, index) => (
        <Part
          key={part[0]?.service}
          tag="ol"
          className={isRest ? 'released-rows' : 'pipeline-rows'}
          rows={part.length}
          {...(index > 0 ? { rowPx: rowHeight(isRest, place) } : {})}
        >
          {() => part.map(one)}
        </Part>
      ))}
    </section>
  );
}

/** The height of a row before it is rendered, in pixels. */
function rowHeight(isRest: boolean, place: ColumnPosition | undefined): number {
  const width = place?.isNarrow ? 'narrow' : 'wide';
  if (!isRest) return lineHeights[width];
  return restHeights[width] / Math.max(1, Math.floor((place?.list ?? 0) / restWidthMin));
}

function partsOf(lines: readonly ServiceStages[]): ServiceStages[][] {
  const count = Math.ceil(lines.length / partLines);
  return Array.from({ length: count }, (_, index) => lines.slice(index * partLines, (index + 1) * partLines));
}

/** Returns the focus to the pressed link, because opening or closing a row may render the row again. */
function useKeptFocus(opened: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(opened);
  useLayoutEffect(() => {
    const isLost = opened !== before.current && document.activeElement === document.body;
    const wanted = opened ?? before.current;
    before.current = opened;
    const lines = [...(list.current?.querySelectorAll<HTMLElement>('[data-service]') ?? [])];
    if (isLost)
      lines
        .find(({ dataset }) => dataset.service === wanted)
        ?.querySelector('a')
        ?.focus({ preventScroll: true });
  }, [opened]);
  return list;
}

/** The position of the stages, for a graph below them; `undefined` if it doesn't fit. */
function useColumnPosition(columns: number) {
  const heads = useRef<HTMLSpanElement>(null);
  const [place, setPlace] = useState<ColumnPosition>();
  useLayoutEffect(() => {
    const element = heads.current;
    if (!element) return;
    const look = () => {
      const step = element.offsetWidth / columns;
      const left = element.offsetLeft;
      const list = element.closest('.pipelines')?.clientWidth ?? 0;
      const next = { left, step, list, isNarrow: left < step };
      setPlace((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    look();
    return () => sizes.disconnect();
  }, [columns]);
  return [heads, place] as const;
}

/** A service whose newest release is in production. */
function ReleasedRow({ line }: { readonly line: ServiceStages }) {
  const { service, release, far } = line;
  return (
    <Link class="released-row ok" to={{ opened: service }} aria-expanded={false} title={plain(howFar(line))}>
      <Mark shape="ok" />
      <Cut text={service} />
      <Version text={release} />
      {far.event && <Time at={far.event.happened_at} />}
    </Link>
  );
}
