import type { Logger } from 'pino';
import { PlaceRefused, ToolAway } from './refusals.ts';
import type { Part, Rounds } from './rounds.ts';
import type { ToolHttp } from './tool-http.ts';

export interface PlaceFailuresOptions {
  readonly rounds: Rounds;
  readonly http: ToolHttp;
  readonly log: Logger;
  /** Something cheap that concerns no place: whether it is answered says whether the tool is there at all. */
  readonly probe: string;
}

const rowMax = 3;

/**
 * Tells a place that fails from a tool that is away: after three failures in a row, or as many as there are places, the
 * tool is asked for something else. A broken repository must never end the cycle of all others, and a tool that is away
 * must not be asked for all of them.
 */
export class PlaceFailures {
  readonly #options: PlaceFailuresOptions;
  /** What takes the failures in a row back. */
  #row: (() => void)[] = [];

  constructor(options: PlaceFailuresOptions) {
    this.#options = options;
  }

  /** The tool gave a usable answer: failures before it are not in a row with others. */
  answered(): void {
    this.#row = [];
  }

  /** Notes a failure that concerns one place. @throws the error where it concerns the tool */
  async bear(name: string, part: Part, error: unknown, signal: AbortSignal): Promise<void> {
    const { rounds, http, log } = this.#options;
    const nowMs = http.now();
    if (error instanceof PlaceRefused) {
      if (!rounds.isRefused(name)) log.warn({ place: name }, `no access, retrying hourly: ${error.message}`);
      this.answered();
      rounds.refused(name, nowMs, error.isGone);
      return;
    }
    if (!(error instanceof ToolAway)) throw error;
    log.warn({ place: name }, `no usable answer, retrying in a later cycle: ${error.message}`);
    await this.#next(error, rounds.failed(name, part, nowMs, error.message), signal);
  }

  /** Counts a failure that is noted elsewhere. @throws the error where it concerns the tool */
  async count(error: ToolAway, signal: AbortSignal): Promise<void> {
    await this.#next(error, () => undefined, signal);
  }

  async #next(error: ToolAway, takeBack: () => void, signal: AbortSignal): Promise<void> {
    this.#row.push(takeBack);
    if (this.#row.length < Math.min(rowMax, this.#options.rounds.size)) return;
    const row = this.#row;
    this.#row = [];
    if (await this.#isThere(signal)) return;
    for (const undo of row.reverse()) undo();
    throw error;
  }

  async #isThere(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#options.http.get(this.#options.probe, signal, () => null);
    } catch (error) {
      if (error instanceof ToolAway) return false;
      // A refusal is an answer.
      if (!(error instanceof PlaceRefused)) throw error;
    }
    return true;
  }
}
