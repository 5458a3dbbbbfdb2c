/** How a part of the page's state is read from the address and written to it. */
export interface AddressPart<Value> {
  /** The state for an empty address. */
  readonly home: Value;
  /** The names of its parameters. */
  readonly names: readonly string[];
  /** Reads the state. Missing and invalid parameters have the value in `home`. */
  read(query: URLSearchParams): Value;
  /** The parameters for a state. A value that equals the value in `home` is `undefined`. */
  write(value: Value): readonly Parameter[];
}

/** The name of a parameter and its values in order. */
export type Parameter = readonly [name: string, ...values: readonly (string | undefined)[]];

/** The state that a part reads. */
export type StateOf<Part> = Part extends AddressPart<infer Value> ? Value : never;
type Parts = Readonly<Record<string, AddressPart<unknown>>>;
type StatesOf<Members extends Parts> = { readonly [Name in keyof Members]: StateOf<Members[Name]> };

/** A part that consists of several parts, in the order of their parameters. */
export function partOf<Members extends Parts>(members: Members): AddressPart<StatesOf<Members>> {
  const entries = Object.entries(members);
  const each = (stateOf: (part: AddressPart<unknown>) => unknown) =>
    Object.fromEntries(entries.map(([name, part]) => [name, stateOf(part)])) as StatesOf<Members>;
  return {
    home: each(({ home }) => home),
    names: entries.flatMap(([, { names }]) => names),
    read: (query) => each((part) => part.read(query)),
    write: (states) => entries.flatMap(([name, part]) => part.write(states[name])),
  };
}

/** A parameter whose value is a non-empty text. */
export function text(name: string): AddressPart<string | undefined> {
  return {
    home: undefined,
    names: [name],
    read: (query) => query.get(name) || undefined,
    write: (value) => [[name, value || undefined]],
  };
}

/** A parameter with distinct, non-empty texts. */
export function texts(name: string): AddressPart<readonly string[]> {
  return {
    home: [],
    names: [name],
    read: (query) => [...new Set(query.getAll(name).filter(Boolean))],
    write: (values) => [[name, ...values]],
  };
}

/** A parameter whose value is one of these words. */
export function word<const Word extends string>(name: string, words: readonly Word[]): AddressPart<Word | undefined>;
export function word<const Word extends string>(name: string, words: readonly Word[], home: Word): AddressPart<Word>;
export function word(name: string, words: readonly string[], home?: string): AddressPart<string | undefined> {
  return {
    home,
    names: [name],
    read: (query) => words.find((each) => each === query.get(name)) ?? home,
    write: (value) => [[name, value === home ? undefined : value]],
  };
}

/** A parameter that is true if its value is `1`. */
export function flag(name: string): AddressPart<boolean> {
  return {
    home: false,
    names: [name],
    read: (query) => query.get(name) === '1',
    write: (value) => [[name, value ? '1' : undefined]],
  };
}
