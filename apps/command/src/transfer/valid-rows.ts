import { type FieldError, instantKey, parseInstant } from '@shiplog/contract';
import { NumberList } from '../log/number-list.ts';
import { TextSpool } from '../log/text-spool.ts';
import { fileBytes, type Texts } from './file-bytes.ts';
import { type RowValue, rowsOf } from './file-rows.ts';
import type { Row, Validation } from './row-rules.ts';

export interface RowFault extends FieldError {
  readonly file: string;
  readonly line: number;
}

export interface LocatedRow extends Row {
  readonly file: string;
  readonly line: number;
  /** The index of the file in the arguments, from 0. It distinguishes files, because the same path may occur twice. */
  readonly fileIndex: number;
}

export interface OrderedRow {
  readonly row: LocatedRow;
  readonly copy: number;
  readonly isRepeat: boolean;
}

export interface ReadOptions {
  readonly files: readonly string[];
  readonly stdin: Texts;
  readonly validate: (value: RowValue) => Validation;
  readonly onFault: (fault: RowFault) => void;
  readonly signal: AbortSignal;
}

/**
 * The validated rows of all files, readable in chronological order. They are stored on disk: a row takes about forty
 * bytes of memory, so a gigabyte is enough for twenty million rows.
 */
export class ValidRows {
  readonly #spool: TextSpool;
  readonly #order = new InstantOrder();

  /** Reads all files. @throws Failure for an unreadable file, or the reason of the signal. */
  static async read(options: ReadOptions): Promise<ValidRows> {
    const rows = new ValidRows(await TextSpool.open());
    try {
      for (const fileIndex of options.files.keys()) await rows.#readFile(fileIndex, options);
    } catch (error) {
      await rows.close();
      throw error;
    }
    return rows;
  }

  private constructor(spool: TextSpool) {
    this.#spool = spool;
  }

  get size(): number {
    return this.#spool.size;
  }

  countBefore(ms: number): number {
    return this.#order.countBefore(ms);
  }

  close(): Promise<void> {
    return this.#spool.close();
  }

  /**
   * Yields the rows in order. `copy` numbers equal rows of a file, from 1. If several files have equal rows, the log
   * should have as many of them as the file with the most (command.md 10.13); the others are duplicates.
   */
  async *inOrder(): AsyncGenerator<OrderedRow> {
    const copies = new Map<string, number>();
    const copiesMax = new Map<string, number>();
    let before: number | undefined;
    for (const position of this.#order.positions()) {
      if (before === undefined || !this.#order.isSame(before, position)) {
        copies.clear();
        copiesMax.clear();
      }
      before = position;
      const row = JSON.parse(await this.#spool.at(position)) as LocatedRow;
      const { deployment_id, service, environment, status } = row.event;
      const equal = JSON.stringify([deployment_id, service, environment, status]);
      const inFile = `${row.fileIndex} ${equal}`;
      const copy = (copies.get(inFile) ?? 0) + 1;
      copies.set(inFile, copy);
      const isRepeat = copy <= (copiesMax.get(equal) ?? 0);
      if (!isRepeat) copiesMax.set(equal, copy);
      yield { row, copy, isRepeat };
    }
  }

  async #readFile(fileIndex: number, { files, stdin, validate, onFault, signal }: ReadOptions): Promise<void> {
    const file = files[fileIndex] ?? '';
    let isEmpty = true;
    for await (const found of rowsOf(fileBytes(file, stdin))) {
      signal.throwIfAborted();
      const { line } = found;
      isEmpty = false;
      const validated = 'faults' in found ? found : validate(found.value);
      if ('faults' in validated) {
        for (const fault of validated.faults) onFault({ file, line, ...fault });
      } else {
        this.#order.add(validated.row.event.happened_at);
        await this.#spool.add(JSON.stringify({ ...validated.row, file, line, fileIndex } satisfies LocatedRow));
      }
    }
    if (isEmpty) onFault({ file, line: 1, pointer: '', message: 'has no rows' });
  }
}

/** Sorts rows by time, with ten bytes of memory per row, and about twenty more while sorting. */
class InstantOrder {
  readonly #ms = new NumberList(Float64Array);
  readonly #microseconds = new NumberList(Uint16Array);

  add(instant: string): void {
    const key = instantKey(parseInstant(instant) ?? instant);
    this.#ms.add(Date.parse(`${key.slice(0, 23)}Z`));
    this.#microseconds.add(Number(key.slice(23)));
  }

  isSame(one: number, other: number): boolean {
    return this.#compare(one, other) === 0;
  }

  /** The number of rows before a time in milliseconds since 1970. */
  countBefore(ms: number): number {
    let count = 0;
    for (let at = 0; at < this.#ms.size; at += 1) if (this.#ms.at(at) < ms) count += 1;
    return count;
  }

  /** The row positions sorted by time; rows with the same time keep their order. */
  positions(): Uint32Array {
    const positions = new Uint32Array(this.#ms.size);
    for (let at = 0; at < positions.length; at += 1) positions[at] = at;
    return positions.sort((one, other) => this.#compare(one, other) || one - other);
  }

  #compare(one: number, other: number): number {
    return this.#ms.at(one) - this.#ms.at(other) || this.#microseconds.at(one) - this.#microseconds.at(other);
  }
}
