/** What a part of the page takes from the address, and how it is written there: one per noun, in `state/address/`. */
export interface AddressPart<Value> {
  /** What holds where the address says nothing. */
  readonly home: Value;
  /** Whatever is missing or wrong is as in `home`. */
  read(query: AddressQuery): Value;
  /** Its parameters; a value that is as in `home` is left out (`undefined`). */
  say(value: Value): readonly Said[];
}

/** A parameter, and its values in order. */
export type Said = readonly [name: string, ...values: readonly (string | undefined)[]];

/** The parameters of an address, as they are read. */
export class AddressQuery {
  readonly #query: URLSearchParams;

  constructor(search: string) {
    this.#query = new URLSearchParams(search);
  }

  /** The first value as it is; `undefined` if there is none. */
  raw(name: string): string | undefined {
    return this.#query.get(name) ?? undefined;
  }

  /** A text that is not empty. */
  text(name: string): string | undefined {
    return this.#query.get(name) || undefined;
  }

  /** All texts of this name that are not empty, each once. */
  texts(name: string): string[] {
    return [...new Set(this.#query.getAll(name).filter((value) => value !== ''))];
  }

  /** One of some words. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return words.find((word) => word === this.#query.get(name));
  }

  /** An instant or a day, as it was written. */
  instant(name: string): string | undefined {
    const value = this.#query.get(name) ?? '';
    return Number.isNaN(Date.parse(value)) ? undefined : value;
  }

  /** Whether it is `1`. */
  flag(name: string): boolean {
    return this.#query.get(name) === '1';
  }
}

/** The value of a parameter of `flag`. */
export function flagged(value: boolean): string | undefined {
  return value ? '1' : undefined;
}
