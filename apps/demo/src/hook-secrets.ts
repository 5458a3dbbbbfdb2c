import { randomBytes } from 'node:crypto';
import type { OutageTool } from '@shiplog/companions';

const secretBytes = 24;

/** The webhook secrets of each tool. */
export type HookSecrets = Readonly<Record<OutageTool, string>>;

/** Generated for each demo, so that access to the fetcher's port alone is not enough to send deliveries. */
export function newHookSecrets(): HookSecrets {
  const secret = () => randomBytes(secretBytes).toString('hex');
  return { github: secret(), gitlab: secret(), pagerduty: secret(), alertmanager: secret() };
}
