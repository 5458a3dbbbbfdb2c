import type { Hold } from '@shiplog/contract';
import { holdReason as reasonOf } from '@shiplog/text';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "4 Jan 08:00", in UTC. */
export function dayTime(instant: string): string {
  const at = new Date(instant);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${instant.slice(11, 16)}`;
}

/** Why a hold holds a deployment back: "frozen until 4 Jan 08:00: Christmas (Ines)", in UTC. */
export function holdReason(hold: Hold): string {
  return reasonOf(hold, dayTime);
}
