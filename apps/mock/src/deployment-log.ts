import { type DeploymentEventIngest, eventJson, parseInstant, type StoredEvent, storedEvent } from '@shiplog/contract';
import { EventIds } from './event-ids.ts';

export interface DeploymentRow extends StoredEvent {
  readonly id: string;
  /** The finished event. */
  readonly json: string;
  /** When it happened, as text that sorts: see `instantKey`. */
  readonly instantKey: string;
  /** It belongs to the demo data, which can be hidden. */
  readonly demo: boolean;
}

/** Where a row comes from, beside its event. */
export interface RowOrigin {
  readonly now: Date;
  readonly progressReporter?: string | undefined;
  readonly demo?: boolean;
}

/** The log in memory. Whoever reads it sees the demo rows only while they are enabled. */
export class DeploymentLog {
  demoEnabled = true;
  readonly #ids = new EventIds();
  /** Newest first: by `happened_at`, then by id. */
  #rows: DeploymentRow[] = [];

  /** The rows that can be seen, newest first. */
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
      instantKey: instantKey(event.happened_at),
      demo,
    };
    // Its id is the greatest, so it stands before every row that is not later.
    const at = this.#rows.findIndex((other) => other.instantKey <= row.instantKey);
    this.#rows.splice(at < 0 ? this.#rows.length : at, 0, row);
    return row;
  }

  /** Ids go on: they rise as long as the process lives. */
  clear(): void {
    this.#rows = [];
  }
}

/** An instant cut to microseconds, with all six digits written, so that text order is time order (reading 3.3). */
export function instantKey(text: string): string {
  const [seconds = '', fraction = ''] = (parseInstant(text) ?? text).slice(0, -1).split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}
