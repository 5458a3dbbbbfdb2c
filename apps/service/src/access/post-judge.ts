import { comparedClaims, outsideOf, pinnedNames, provenToken, whyOutside } from '@shiplog/access';
import type { DeploymentEventIngest } from '@shiplog/contract';
import type { Pin } from '../db/access/pins.ts';
import { PinRefused } from '../db/append-deployments.ts';
import type { ActRecord } from './act-record.ts';
import { type Credential, isToken, type TokenCredential } from './credential.ts';
import { forbidden, isPin, pinnedName } from './forbidden.ts';
import { proofText } from './proof.ts';

interface PostJudgeOptions {
  readonly acts: ActRecord;
  /** The repository of a service in the catalog. */
  readonly repositoryOf: (service: string) => string | null;
}

type Slot = Pick<DeploymentEventIngest, 'service' | 'environment'>;

/** What is stored with an event that its sender may post. */
export interface Proven {
  /** Undefined for the shared key. */
  readonly proof: string | undefined;
  /** The names for which a token was accepted. */
  readonly pins: readonly Pin[];
}

const shared: Proven = { proof: undefined, pins: [] };

/** Decides whether the sender of a post may post this event, and creates its proof (access.md 2.3, 3, 4). */
export class PostJudge {
  readonly #options: PostJudgeOptions;

  constructor(options: PostJudgeOptions) {
    this.#options = options;
  }

  /**
   * @param beforeRefusal called before a post is refused; it may throw another reason.
   * @throws Problem 403
   */
  async judge(sender: Credential, event: DeploymentEventIngest, beforeRefusal: () => Promise<void>): Promise<Proven> {
    if (sender.kind === 'shared') return shared;
    const outside = this.#outside(sender, event);
    const pins = isToken(sender) && sender.match.rule ? pinnedNames(sender.token, sender.match.rule) : [];
    if (outside.length > 0 || !pins.every(isPin)) {
      await beforeRefusal();
      throw outside.length > 0 ? this.#outOfScope(sender, event, outside) : this.#pinned(sender, event);
    }
    if (isToken(sender)) {
      const { token: verified } = sender;
      return { proof: proofText({ token: provenToken(verified), claims: comparedClaims(verified, event) }), pins };
    }
    return { proof: proofText({ key: { id: sender.id ?? '', name: sender.name ?? '' } }), pins: [] };
  }

  /** The events, as JSON, for which a sender may post (access.md 9.9). */
  within(sender: Credential, events: readonly string[]): string[] {
    return events.filter((event) => this.#outside(sender, JSON.parse(event) as Slot).length === 0);
  }

  /**
   * Stores an event, and notes what its sender did for the first time.
   * @throws Problem 403 if the token's repository or owner has a different id than before.
   */
  async noted(sender: Credential, slot: Slot, pins: readonly Pin[], store: (onPinned: () => void) => Promise<string>) {
    const { acts } = this.#options;
    const onPinned = () => {
      for (const { issuer, kind, name, id } of pins) {
        acts.add({ kind: 'pin-made', subject: `${issuer}/${name}`, detail: { kind, id } });
      }
    };
    try {
      const id = await store(onPinned);
      if (isToken(sender)) this.#noteRule(sender);
      return id;
    } catch (error) {
      throw error instanceof PinRefused ? this.#pinned(sender, slot) : error;
    }
  }

  #outside(sender: Credential, slot: Slot): (keyof Slot)[] {
    return outsideOf(sender.may.post, slot, this.#poster(sender));
  }

  #poster(sender: Credential) {
    const { repositoryOf } = this.#options;
    return isToken(sender) ? { ...sender.token, repositoryOf } : undefined;
  }

  #noteRule({ match: { rule }, subject }: TokenCredential): void {
    if (!rule) return;
    const { number, ...content } = rule;
    const once = `rule ${JSON.stringify(content)}`;
    this.#options.acts.addOnce({ kind: 'rule-first-used', subject: subject ?? null, once, detail: { rule: number } });
  }

  #outOfScope(sender: Credential, { service, environment }: Slot, outside: readonly (keyof Slot)[]) {
    const hasRule = !isToken(sender) || sender.match.rule !== undefined;
    const { post } = sender.may;
    const slot = { service, environment };
    const poster = this.#poster(sender);
    return forbidden({
      acts: this.#options.acts,
      sender,
      asked: slot,
      outside: outside.map((member) => ({
        pointer: `/${member}`,
        why: poster && whyOutside(member, post, slot, poster),
      })),
      reason: hasRule ? 'scope' : 'no-rule',
    });
  }

  #pinned(sender: Credential, { service, environment }: Slot) {
    return pinnedName({ acts: this.#options.acts, sender, asked: { service, environment } });
  }
}
