/** A local time with its day: "today 13:31", "yesterday 15:40", "tomorrow 09:00", "12 Nov 15:40", "12 Nov 2025 15:40". */
export function dayTime(instantMs: number, nowMs: number): string {
  const instant = new Date(instantMs);
  const time = instant.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const near = ['tomorrow', 'today', 'yesterday'][daysAgo(instantMs, nowMs) + 1];
  if (near) return `${near} ${time}`;
  const isSameYear = instant.getFullYear() === new Date(nowMs).getFullYear();
  const day = instant.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(isSameYear ? {} : { year: 'numeric' }),
  });
  return `${day} ${time}`;
}

/** How many local days ago a time was: 0 = today; negative if it is on a later day. */
export function daysAgo(instantMs: number, nowMs: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(nowMs) - midnight(instantMs)) / 86_400_000);
}
