const unitsMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** The milliseconds of `7d`, `12h`, `90m`, `30s` or `1.12:00:00`; `undefined` for any other text. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})([dhms])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (unitsMs[unit] ?? 0);
  const parts = /^(?:(\d{1,5})\.)?(\d\d?):([0-5]\d):([0-5]\d)$/.exec(text);
  if (!parts || Number(parts[2]) > 23) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
