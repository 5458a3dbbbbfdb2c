export interface AgeContext {
  readonly nowMs: number;
  /** During an outage, times replace ages: an age implies that nothing has happened since. */
  readonly isOut: boolean;
}

const halfDayMs = 43_200_000;

/** A local time: "14:26", or "19 Nov" if it is more than half a day away. */
export function clockTime(instantMs: number, nowMs: number): string {
  const instant = new Date(instantMs);
  return Math.abs(nowMs - instantMs) < halfDayMs
    ? instant.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : instant.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** A time to the second in the viewer's time zone: "4 May 2026, 11:12:02 CEST". Returns other text unchanged. */
export function inZone(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) return instant;
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
  return new Date(ms).toLocaleString('en-GB', { ...day, ...time });
}

/** A time to the second, in UTC: "2026-05-04 09:12:02 UTC". Returns other text unchanged. */
export function inUtc(instant: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? instant : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
