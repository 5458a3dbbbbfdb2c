import type { Hold } from '@shiplog/contract';
import { globCovers } from '@shiplog/text';
import type { ActRecord } from './act-record.ts';
import type { Credential } from './credential.ts';
import { forbidden } from './forbidden.ts';

/** Decides who may set, release and except holds (holds.md 2, 6.7). */
export class HoldJudge {
  readonly #acts: ActRecord;

  constructor(acts: ActRecord) {
    this.#acts = acts;
  }

  /** @throws Problem 403 if a glob has names that the sender may not hold. */
  require(sender: Credential, { services, environments }: Pick<Hold, 'services' | 'environments'>): void {
    if (sender.kind === 'shared' || sender.kind === 'reader') return;
    const { hold } = sender.may;
    const outside = [
      ...uncovered('services', services, hold?.services),
      ...uncovered('environments', environments, hold?.environments),
    ];
    if (outside.length === 0) return;
    throw forbidden({
      acts: this.#acts,
      sender,
      asked: { services, environments },
      outside: outside.map((pointer) => ({ pointer })),
    });
  }

  /** Who acts: the name of the credential, or for the shared key the name that was sent. */
  byOf({ kind, name }: Credential, sent: string | null | undefined): string | null {
    return kind === 'shared' ? (sent ?? null) : name;
  }
}

function uncovered(member: string, globs: readonly string[], may: readonly string[] | string | undefined): string[] {
  const covers = Array.isArray(may) ? (may as readonly string[]) : [];
  return globs.flatMap((glob, index) => (covers.some((wide) => globCovers(wide, glob)) ? [] : [`/${member}/${index}`]));
}
