import { useEffect, useState } from 'preact/hooks';

export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  /** Adds a listener. @returns a function that removes the listener. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** The value of a store; the component renders again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, setValue] = useState(store.value);
  useEffect(() => {
    setValue(store.value);
    return store.listen(() => setValue(store.value));
  }, [store]);
  return store.value;
}

/**
 * A store whose value follows from other stores. `compute` receives the previous value, to return it while nothing has
 * changed.
 */
export function derived<Value>(
  sources: readonly Store<unknown>[],
  compute: (before: Value | undefined) => Value,
): Store<Value> {
  const store = new Store(compute(undefined));
  for (const source of sources) source.listen(() => store.set(compute(store.value)));
  return store;
}

export function endAll(...ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end();
  };
}
