import type { DeploymentEvent } from '@shiplog/contract';
import { markdownText, plain, versionOf } from '@shiplog/text';
import { inUtc } from '../board/age.ts';

/** Names are shown as they are, whatever Markdown would make of them. */
export function escaped(text: string): string {
  return markdownText(plain(text));
}

export function version(event: DeploymentEvent): string {
  return escaped(versionOf(event));
}

/** "2026-05-04 09:12 UTC". */
export function minute(instant: string): string {
  return inUtc(instant).replace(/:\d\d UTC$/, ' UTC');
}
