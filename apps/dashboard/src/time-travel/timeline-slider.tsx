import { useMemo } from 'preact/hooks';
import { ticksOf } from './steps.ts';
import { dayAndTime } from './time-words.ts';
import type { TimelineEvents } from './use-timeline.ts';

const minuteMs = 60_000;
const hourMinutes = 60;

/** A slider over 24 hours, with a mark for each event and a taller one for failures. */
export function TimelineSlider({
  events: { timeline, events, cutAtMs },
  atMs,
  presentMs,
  onMove,
}: {
  readonly events: TimelineEvents;
  /** `undefined` = now. */
  readonly atMs: number | undefined;
  readonly presentMs: number;
  /** `undefined` = to the end, which is now. */
  readonly onMove: (ms: number | undefined) => void;
}) {
  const ticks = useMemo(() => ticksOf(events, timeline), [events, timeline]);
  const minutes = (timeline.untilMs - timeline.fromMs) / minuteMs;
  const reachesNow = timeline.untilMs >= presentMs;
  const value = atMs === undefined ? minutes : Math.round((atMs - timeline.fromMs) / minuteMs);
  const move = (minute: number) => {
    const ms = timeline.fromMs + Math.max(0, minute) * minuteMs;
    onMove(reachesNow && ms > presentMs - minuteMs ? undefined : Math.min(ms, timeline.untilMs));
  };
  const hours = (event: KeyboardEvent) => {
    const by = { PageUp: hourMinutes, PageDown: -hourMinutes }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(value + by);
  };
  const path = (isFailed: boolean, height: number) =>
    ticks
      .filter(({ failed }) => failed === isFailed)
      .map(({ at }) => `M${at} 1V${1 - height}`)
      .join('');
  return (
    <div class="time-line">
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {cutAtMs !== undefined && (
          <path
            class="time-unread"
            d={`M0 .92H${(cutAtMs - timeline.fromMs) / (timeline.untilMs - timeline.fromMs)}`}
          />
        )}
        <path d={path(false, 0.4)} />
        <path class="time-failed" d={path(true, 0.85)} />
      </svg>
      <input
        type="range"
        min={0}
        max={minutes}
        step={1}
        value={value}
        aria-label="Time of the board"
        aria-valuetext={atMs === undefined ? 'now' : dayAndTime(atMs, presentMs)}
        onInput={({ currentTarget }) => move(currentTarget.valueAsNumber)}
        onKeyDown={hours}
      />
    </div>
  );
}
