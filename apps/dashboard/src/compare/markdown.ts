import type { DeploymentEvent } from '@shiplog/contract';
import { markdownText, plain, versionOf } from '@shiplog/text';
import { inUtc } from '../board/age.ts';

/** Escapes Markdown, because names are user-supplied. */
export function escaped(text: string): string {
  return markdownText(plain(text));
}

export function version(event: DeploymentEvent): string {
  return escaped(versionOf(event));
}

export function minute(instant: string): string {
  return inUtc(instant).replace(/:\d\d UTC$/, ' UTC');
}
