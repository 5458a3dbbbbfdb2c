/** A hold, as the API returns it. The shape of `Hold` in the contract, which this library doesn't import. */
interface HeldBack {
  readonly kind: 'freeze' | 'lock' | 'bad';
  readonly version: string | null;
  /** RFC 3339. */
  readonly until: string | null;
  readonly reason: string;
  readonly by: string | null;
}

/**
 * Why a deployment is held back: "frozen until 4 Jan 08:00: Christmas (Ines)". The texts are returned as posted.
 * @param dayTime formats an instant, such as "4 Jan 08:00".
 */
export function holdReason(
  { kind, version, until, reason, by }: HeldBack,
  dayTime: (instant: string) => string,
): string {
  const who = by === null ? '' : ` (${by})`;
  if (kind === 'bad') return `${version} is marked bad: ${reason}${who}`;
  const end = until === null ? '' : ` until ${dayTime(until)}`;
  return kind === 'freeze'
    ? `frozen${end}: ${reason}${who}`
    : `locked${by === null ? '' : ` by ${by}`}${end}: ${reason}`;
}
