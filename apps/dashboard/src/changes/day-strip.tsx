import { useRef, useState } from 'preact/hooks';
import { clockName } from '../range/calendar.ts';
import { rangeBetween, spanOf } from '../range/range.ts';
import { rangeWords } from '../range/range-words.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import type { Question } from './question.ts';
import { barsOf, labelsOf, shareOf, stripOf, timeAt } from './strip.ts';
import { useHistogram } from './use-changes.ts';

type Ends = readonly [fromMs: number, toMs: number];
type Part = 'from' | 'to' | 'both' | 'new';

interface Drag {
  readonly part: Part;
  /** Where the drag began. */
  readonly startMs: number;
  readonly before: Ends;
  readonly now: Ends;
}

const barsPx = 30;

/** The changes of the days around the range, with the range as a selection that can be dragged. */
export function DayStrip({ question }: { readonly question: Question }) {
  const { navigation, connection } = useApp();
  const nowMs = useStore(connection.now.present);
  const span = spanOf(question.range, nowMs);
  const strip = stripOf(span);
  const answer = useHistogram(question, strip);
  const element = useRef<HTMLFieldSetElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [fromMs, toMs] = drag?.now ?? [span.fromMs, span.toMs];
  const choose = ([from, to]: Ends, how?: 'replace') =>
    navigation.go({ range: rangeBetween(from, to > nowMs ? undefined : to) }, how);
  const timeOf = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 1 } = element.current?.getBoundingClientRect() ?? {};
    return timeAt(strip, (clientX - left) / width);
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const part = (event.target as HTMLElement).dataset.part as Part | undefined;
    element.current?.setPointerCapture(event.pointerId);
    const before: Ends = [span.fromMs, span.toMs];
    setDrag({ part: part ?? 'new', startMs: timeOf(event), before, now: before });
  };
  const move = (event: PointerEvent) => drag && setDrag({ ...drag, now: dragged(drag, timeOf(event), strip) });
  const drop = () => {
    setDrag(undefined);
    if (drag && drag.now.join() !== drag.before.join()) choose(drag.now);
  };
  const step = (part: 'from' | 'to', { key }: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -12, PageUp: 12 }[key];
    if (by === undefined) return false;
    const ms = (part === 'from' ? fromMs : toMs) + by * strip.stepMs;
    choose(dragged({ part, startMs: 0, before: [fromMs, toMs], now: [fromMs, toMs] }, ms, strip), 'replace');
    return true;
  };
  const handle = (part: 'from' | 'to', ms: number) => (
    <div
      class="strip-handle"
      role="slider"
      tabIndex={0}
      data-part={part}
      aria-label={part === 'from' ? 'Start of the range' : 'End of the range'}
      aria-valuemin={strip.fromMs}
      aria-valuemax={strip.toMs}
      aria-valuenow={ms}
      aria-valuetext={clockName(ms)}
      style={{ left: `${100 * shareOf(strip, ms)}%` }}
      onKeyDown={(event) => step(part, event) && event.preventDefault()}
    />
  );
  const shares = [shareOf(strip, fromMs), shareOf(strip, toMs)] as const;
  const bars = answer.kind === 'here' ? barsOf(answer.value, strip, { ...span, fromMs, toMs }) : [];
  return (
    <fieldset
      ref={element}
      class="strip"
      aria-label={`Deployments around the range ${rangeWords(rangeBetween(fromMs, toMs), nowMs)}; drag to choose another range`}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={() => setDrag(undefined)}
    >
      <div
        class="strip-range"
        data-part="both"
        style={{ left: `${100 * shares[0]}%`, width: `${100 * (shares[1] - shares[0])}%` }}
      />
      <svg viewBox={`0 0 1000 ${barsPx}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ left, width, height, failed, isSelected }) => (
          <g key={left} class={isSelected ? 'selected' : undefined}>
            <rect
              x={1000 * left + 100 * width}
              y={barsPx * (1 - height)}
              width={800 * width}
              height={barsPx * height}
            />
            {failed > 0 && (
              <rect
                class="failed"
                x={1000 * left + 100 * width}
                y={barsPx * (1 - height)}
                width={800 * width}
                height={barsPx * failed}
              />
            )}
          </g>
        ))}
      </svg>
      {handle('from', fromMs)}
      {handle('to', toMs)}
      <div class="strip-labels tiny soft" aria-hidden="true">
        {labelsOf(strip, nowMs).map(({ at, text }) => (
          <span key={at} style={{ left: `${100 * at}%` }}>
            {text}
          </span>
        ))}
      </div>
    </fieldset>
  );
}

/** The ends after a drag to a time. They stay at least one step apart and on the strip. */
function dragged(
  { part, startMs, before }: Drag,
  ms: number,
  { fromMs, toMs, stepMs }: ReturnType<typeof stripOf>,
): Ends {
  const [from, to] = before;
  const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
  if (part === 'from') return [within(ms, fromMs, to - stepMs), to];
  if (part === 'to') return [from, within(ms, from + stepMs, toMs)];
  if (part === 'both') {
    const by = within(ms - startMs, fromMs - from, toMs - to);
    return [from + by, to + by];
  }
  if (ms === startMs) return before;
  return [Math.min(ms, startMs), Math.max(ms, startMs)];
}
