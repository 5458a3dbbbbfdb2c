import type { Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import { type Act, appendActs } from '../db/access/acts.ts';
import type { Queries } from '../db/database.ts';

interface ActRecordOptions {
  readonly writes: Queries;
  /** How long acts are collected before they are stored. */
  readonly afterMs: number;
  readonly logger: Logger;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

export interface RefusedCredential {
  /** A key in the file or the repository of a verified token; `null` for anything that a stranger can send. */
  readonly subject: string | null;
  readonly reason: string;
  readonly kind?: 'refused' | 'pin-refused' | 'sign-in-refused';
  readonly detail?: object;
}

/** The maximum number of refused credentials per minute that get separate acts. */
const subjectsPerMinute = 100;
const minuteMs = 60_000;

/** Collects acts and stores them (access.md 6). A refused credential costs one row per reason and minute. */
export class ActRecord implements Stoppable {
  readonly #options: ActRecordOptions;
  readonly #now: () => number;
  readonly #known = new Set<string>();
  #waiting: Act[] = [];
  #refused = new Map<string, Act & { count: number }>();
  #minute = 0;
  #subjects = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: ActRecordOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  add(act: Act): void {
    this.#waiting.push(act);
    this.#storeSoon();
  }

  /** Adds an act that is stored only the first time, whichever instance it happens on. */
  addOnce(act: Act & { readonly once: string }): void {
    if (this.#known.has(act.once)) return;
    this.#known.add(act.once);
    this.add(act);
  }

  refuse({ subject, reason, kind = 'refused', detail }: RefusedCredential): void {
    const minute = Math.floor(this.#now() / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#subjects = new Set();
    }
    const own = JSON.stringify([kind, subject, reason]);
    const isNew = !this.#subjects.has(own);
    const isOwn = subject !== null && (!isNew || this.#subjects.size < subjectsPerMinute);
    const counted = isOwn ? subject : null;
    const partOf = JSON.stringify([minute, kind, counted, reason]);
    const act = this.#refused.get(partOf) ?? {
      kind,
      subject: counted,
      reason,
      partOf,
      count: 0,
      ...(isOwn && { detail }),
    };
    act.count += 1;
    this.#refused.set(partOf, act);
    if (isNew && this.#subjects.size < subjectsPerMinute) {
      this.#subjects.add(own);
      this.#options.logger.warn({ subject, reason }, 'a credential was refused');
    }
    this.#storeSoon();
  }

  /** Stores the remaining acts. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#storing;
    await this.#store();
    clearTimeout(this.#timer);
  }

  #storeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#storing = this.#storing.then(() => this.#store());
    }, this.#options.afterMs);
  }

  async #store(): Promise<void> {
    const acts = [...this.#waiting, ...this.#refused.values()];
    if (acts.length === 0) return;
    [this.#waiting, this.#refused] = [[], new Map()];
    try {
      await appendActs(this.#options.writes, acts);
    } catch (error) {
      this.#options.logger.debug({ err: error }, 'access acts could not be stored; retrying');
      // Refusals are stored in parts, so they need not be counted together with later ones.
      this.#waiting = [...acts, ...this.#waiting].slice(0, waitingMax);
      this.#storeSoon();
    }
  }
}

/** Enough for hours without a database. */
const waitingMax = 10_000;
