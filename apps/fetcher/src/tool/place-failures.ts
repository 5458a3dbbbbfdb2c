import type { Logger } from 'pino';
import { PlaceRefused, ToolAway } from './refusals.ts';
import type { Part, Rounds } from './rounds.ts';
import type { ToolHttp } from './tool-http.ts';

export interface PlaceFailuresOptions {
  readonly rounds: Rounds;
  readonly http: ToolHttp;
  readonly log: Logger;
  /** A cheap request about no place: its answer shows whether the tool is reachable at all. */
  readonly probe: string;
}

const rowMax = 3;

/**
 * Distinguishes a failing place from an unreachable tool: after three failures in a row (or one per place), it sends a
 * probe. A broken repository must never end the cycle of the others, and an unreachable tool must not be asked about each
 * of them.
 */
export class PlaceFailures {
  readonly #options: PlaceFailuresOptions;
  /** Undoes the failures in a row. */
  #row: (() => void)[] = [];

  constructor(options: PlaceFailuresOptions) {
    this.#options = options;
  }

  /** The tool gave a usable answer, which ends the row of failures. */
  answered(): void {
    this.#row = [];
  }

  /** Records a failure of one place. @throws the error if the tool is unreachable */
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

  /** Counts a failure that is recorded elsewhere. @throws the error if the tool is unreachable */
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
