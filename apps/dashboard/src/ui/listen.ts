type Handlers = Readonly<Record<string, (event: never) => void>>;

/** Adds listeners by the names of their events; returns what removes them. */
export function listen(target: EventTarget, handlers: Handlers, options?: AddEventListenerOptions): () => void {
  const entries = Object.entries(handlers) as [string, EventListener][];
  for (const [name, handler] of entries) target.addEventListener(name, handler, options);
  return () => {
    for (const [name, handler] of entries) target.removeEventListener(name, handler, options);
  };
}
