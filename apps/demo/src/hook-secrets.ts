import { randomBytes } from 'node:crypto';
import type { CiTool } from '@shiplog/companions';

const secretBytes = 24;

/** The webhook secrets of each tool. */
export type HookSecrets = Readonly<Record<CiTool, string>>;

/** Generated for each demo, so that access to the fetcher's port alone is not enough to send deliveries. */
export function newHookSecrets(): HookSecrets {
  const secret = () => randomBytes(secretBytes).toString('hex');
  return { github: secret(), gitlab: secret() };
}
