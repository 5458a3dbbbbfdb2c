import { type Freezes, freezesOf } from '../../src/domain/calendar/freezes.ts';

/** A calendar of these events. Each event is a list of lines; it gets the UID `e<number>` if it has none. */
export function calendarText(events: readonly (readonly string[])[], head: readonly string[] = []): string {
  const lines = events.flatMap((event, index) => [
    'BEGIN:VEVENT',
    ...(event.some((line) => line.startsWith('UID')) ? [] : [`UID:e${index}`]),
    ...event,
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...head, ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

/** Noon, before the clocks change in autumn. */
export const now = '2026-10-01T12:00:00Z';

interface Asked {
  readonly zone?: string;
  readonly at?: string;
}

export function freezesIn(text: string | Uint8Array, { zone, at = now }: Asked = {}): Freezes {
  return freezesOf(Buffer.from(text), { zone, nowMs: Date.parse(at) });
}

/** The freezes of one or more events, each as `<start> <end>` in UTC, to the minute. */
export function spansOf(events: readonly (readonly string[])[], head: readonly string[] = [], asked: Asked = {}) {
  return freezesIn(calendarText(events, head), asked).items.map(
    ({ startMs, endMs }) => `${minuteOf(startMs)} ${minuteOf(endMs)}`,
  );
}

function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

/** Why a calendar is invalid. */
export function faultOf(text: string | Uint8Array, asked: Asked = {}): string {
  try {
    freezesIn(text, asked);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}
