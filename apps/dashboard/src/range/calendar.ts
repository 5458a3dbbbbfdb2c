/** The time zone of days and months: the viewer's, or UTC as in analytics. */
export type Zone = 'local' | 'utc';
export type Unit = 'day' | 'month' | 'quarter';

/** The start of the day, month or quarter that includes a time, or of one that is `offset` units later. */
export function startOf(unit: Unit, ms: number, offset: number, zone: Zone): number {
  const [year, month, day] = dateOf(ms, zone);
  const [first, of]: readonly [number, number] =
    unit === 'day' ? [month, day + offset] : [unit === 'month' ? month + offset : month - (month % 3) + 3 * offset, 1];
  return zone === 'utc' ? Date.UTC(year, first, of) : new Date(year, first, of).getTime();
}

export function isStartOfDay(ms: number, zone: Zone): boolean {
  return startOf('day', ms, 0, zone) === ms;
}

/** "Thu 19 Nov" in the viewer's time zone; with the year unless it is this year. */
export function dayName(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const year = date.getFullYear() === new Date(nowMs).getFullYear() ? {} : ({ year: 'numeric' } as const);
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year });
  return `${date.toLocaleDateString('en-GB', { weekday: 'short' })} ${day}`;
}

/** "13:10" in the viewer's time zone; with seconds unless they are 0. */
export function clockName(ms: number): string {
  const second = ms % 60_000 === 0 ? {} : ({ second: '2-digit' } as const);
  return new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...second });
}

function dateOf(ms: number, zone: Zone): readonly [year: number, month: number, day: number] {
  const date = new Date(ms);
  return zone === 'utc'
    ? [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
    : [date.getFullYear(), date.getMonth(), date.getDate()];
}
