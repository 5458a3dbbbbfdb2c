/** A local time with its day: "today 13:31", "yesterday 15:40", "tomorrow 09:00", "12 Nov 15:40", "12 Nov 2025 15:40". */
export function dayTime(instantMs: number, nowMs: number): string {
  const instant = new Date(instantMs);
  const time = instant.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const daysAgo = Math.round((midnight(nowMs) - midnight(instantMs)) / 86_400_000);
  const near = ['tomorrow', 'today', 'yesterday'][daysAgo + 1];
  if (near) return `${near} ${time}`;
  const isSameYear = instant.getFullYear() === new Date(nowMs).getFullYear();
  const day = instant.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(isSameYear ? {} : { year: 'numeric' }),
  });
  return `${day} ${time}`;
}

/** The start of the local day. */
export function midnight(instantMs: number): number {
  return new Date(instantMs).setHours(0, 0, 0, 0);
}
