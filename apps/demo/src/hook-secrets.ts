import { randomBytes } from 'node:crypto';
import type { CiTool } from '@shiplog/companions';

const secretBytes = 24;

/** What the deliveries of each tool are signed with, or carry. */
export type HookSecrets = Readonly<Record<CiTool, string>>;

/** Other ones for each demo: whoever reaches the fetcher's port can deliver nothing. */
export function newHookSecrets(): HookSecrets {
  const secret = () => randomBytes(secretBytes).toString('hex');
  return { github: secret(), gitlab: secret() };
}
