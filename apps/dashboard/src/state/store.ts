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

export function endAll(...ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end();
  };
}
