import { keyHeaders } from '@shiplog/contract';
import type { ActRecord } from './act-record.ts';
import { type Credential, isToken } from './credential.ts';
import { forbidden } from './forbidden.ts';

/** Decides who may report outages (outages.md 1.1). */
export class OutageJudge {
  readonly #acts: ActRecord;

  constructor(acts: ActRecord) {
    this.#acts = acts;
  }

  /** @throws Problem 403 */
  require(sender: Credential): void {
    if (sender.kind === 'shared' || sender.kind === 'reader' || sender.may.outage) return;
    const pointer = isToken(sender) ? '/Authorization' : `/${keyHeaders.api}`;
    throw forbidden({
      acts: this.#acts,
      sender,
      asked: { outage: true },
      outside: [{ pointer }],
      reason: isToken(sender) && !sender.match.rule ? 'no-rule' : 'scope',
    });
  }
}
