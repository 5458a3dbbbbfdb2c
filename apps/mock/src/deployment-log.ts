import { type DeploymentEventIngest, eventJson, instantKey, type StoredEvent, storedEvent } from '@shiplog/contract';
import { EventIds } from './event-ids.ts';

export interface DeploymentRow extends StoredEvent {
  readonly id: string;
  /** The complete event. */
  readonly json: string;
  /** The time of the event, as text that sorts by time (see `instantKey`). */
  readonly instantKey: string;
  /** Whether it is part of the demo data, which can be hidden. */
  readonly demo: boolean;
}

/** Metadata of a row. */
export interface RowOrigin {
  readonly now: Date;
  readonly progressReporter?: string | undefined;
  readonly demo?: boolean;
}

/** An in-memory log. Demo rows are visible only while they are enabled. */
export class DeploymentLog {
  demoEnabled = true;
  readonly #ids = new EventIds();
  /** Newest first: by `happened_at`, then by id. */
  #rows: DeploymentRow[] = [];

  /** The visible rows, newest first. */
  get visible(): readonly DeploymentRow[] {
    return this.demoEnabled ? this.#rows : this.#rows.filter(({ demo }) => !demo);
  }

  append(event: DeploymentEventIngest, { now, progressReporter, demo = false }: RowOrigin): DeploymentRow {
    const id = this.#ids.next(now.getTime());
    const stored = storedEvent(event, progressReporter);
    const row = {
      ...stored,
      id,
      json: eventJson(id, stored.jsonRest),
      instantKey: instantKey(stored.happenedAt),
      demo,
    };
    // The new row has the greatest id, so it precedes all rows with the same time.
    const at = this.#rows.findIndex((other) => other.instantKey <= row.instantKey);
    this.#rows.splice(at < 0 ? this.#rows.length : at, 0, row);
    return row;
  }

  /** Removes all rows. Ids keep increasing as long as the process runs. */
  clear(): void {
    this.#rows = [];
  }
}
