/** How one part of the page's state is read from the address and written to it; the parts are in `state/address/`. */
export interface AddressPart<Value> {
  /** The state that an empty address means. */
  readonly home: Value;
  /** Missing and invalid parameters mean the state in `home`. */
  read(query: AddressQuery): Value;
  /** Its parameters; a value that equals that of `home` is left out (`undefined`). */
  write(value: Value): readonly Parameter[];
}

/** A parameter and its values in order. */
export type Parameter = readonly [name: string, ...values: readonly (string | undefined)[]];

/** Reads the parameters of an address. */
export class AddressQuery {
  readonly #query: URLSearchParams;

  constructor(search: string) {
    this.#query = new URLSearchParams(search);
  }

  /** The first value, which may be empty; `undefined` if the parameter is missing. */
  raw(name: string): string | undefined {
    return this.#query.get(name) ?? undefined;
  }

  /** The first value, unless it is empty. */
  text(name: string): string | undefined {
    return this.#query.get(name) || undefined;
  }

  /** All distinct values that aren't empty. */
  texts(name: string): string[] {
    return [...new Set(this.#query.getAll(name).filter((value) => value !== ''))];
  }

  /** The first value, if it is one of these words. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return words.find((word) => word === this.#query.get(name));
  }

  /** A time or a day, as written. */
  instant(name: string): string | undefined {
    const value = this.#query.get(name) ?? '';
    return Number.isNaN(Date.parse(value)) ? undefined : value;
  }

  /** Whether the value is `1`. */
  flag(name: string): boolean {
    return this.#query.get(name) === '1';
  }
}

/** The value that `flag` reads back. */
export function flagged(value: boolean): string | undefined {
  return value ? '1' : undefined;
}
