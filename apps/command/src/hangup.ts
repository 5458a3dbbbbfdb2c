import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import type { Environment } from './context.ts';

/**
 * Whether this process was started with SIGHUP ignored, as by nohup. Node resets inherited signal handling before any
 * script runs, so this is inferred from other facts: a shell sets `_` to nohup, and the children of a parent that
 * ignores the signal inherit this.
 */
export function isHangupIgnored(env: Environment): boolean {
  return basename(env._ ?? '') === 'nohup' || isIgnoredByParent();
}

function isIgnoredByParent(): boolean {
  try {
    const [, mask = '0'] =
      /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'latin1')) ?? [];
    return (BigInt(`0x${mask}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) !== 0n;
  } catch {
    // Some systems have no /proc.
    return false;
  }
}
