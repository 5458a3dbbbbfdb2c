export interface BuildProgress {
  /** How many events are in, and about how many the log has. */
  readonly events: number;
  readonly total: number;
}

const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function progressText({ events, total }: BuildProgress): string {
  return `${count.format(events)} of about ${count.format(total)} events are in`;
}

/** How fast a build is, and how long it takes until the end at that rate. */
export function paceText(begin: BuildProgress, now: BuildProgress, seconds: number): string {
  const perSecond = (now.events - begin.events) / seconds;
  if (!(perSecond > 0)) return 'no progress yet';
  return `${count.format(perSecond)} a second, about ${durationText((now.total - now.events) / perSecond)} left`;
}

export function builtText(events: number, seconds: number): string {
  return `${count.format(events)} events in ${durationText(seconds)}, ${count.format(events / seconds)} a second`;
}

function durationText(seconds: number): string {
  if (seconds <= 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${(seconds / 3600).toFixed(1)} hours`;
}
