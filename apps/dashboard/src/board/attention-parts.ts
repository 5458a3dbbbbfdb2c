import { pluralize } from '@shiplog/text';
import { type Attention, type AttentionKind, attentionKinds } from './attention.ts';

/**
 * The parts by which attention is counted: its kinds, with failures in production apart; `failed` is then the others.
 */
export type AttentionPart = AttentionKind | 'production';

const parts: readonly AttentionPart[] = ['production', ...attentionKinds];

export function partOf({ kind, isProduction }: Attention): AttentionPart {
  return kind === 'failed' && isProduction ? 'production' : kind;
}

/** The items of a part, in order. */
export function inPart(items: readonly Attention[], part: AttentionPart): Attention[] {
  return items.filter((item) => partOf(item) === part);
}

export interface PartCount {
  readonly part: AttentionPart;
  /** "4 failed elsewhere". */
  readonly text: string;
}

/**
 * The count of each part that has items, worded for `among`, which they are part of: "1 failed in prod", "4 failed
 * elsewhere", "1 stuck".
 */
export function partCounts(items: readonly Attention[], among = items): PartCount[] {
  const [first] = among;
  const production = first && partOf(first) === 'production' ? (first.environment ?? '') : undefined;
  return parts.flatMap((part) => {
    const count = inPart(items, part).length;
    return count === 0 ? [] : [{ part, text: `${count} ${wordOf(part, count, production)}` }];
  });
}

function wordOf(part: AttentionPart, count: number, production: string | undefined): string {
  if (part === 'production') return `failed in ${production}`;
  if (part === 'failed' && production !== undefined) return 'failed elsewhere';
  if (part === 'waits') return count === 1 ? 'waits' : 'wait';
  if (part === 'ahead') return 'clock ahead';
  if (part === 'silent') return `${pluralize(count, 'reporter').replace(/^\d+ /, '')} silent`;
  return part;
}

/** "10 need attention", "1 needs attention". */
export function attentionHeadline(items: readonly Attention[]): string {
  if (items.length === 0) return 'Nothing needs attention';
  return items.length === 1 ? '1 needs attention' : `${items.length} need attention`;
}
