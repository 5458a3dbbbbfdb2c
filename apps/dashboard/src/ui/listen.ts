type Handlers = Readonly<Record<string, (event: never) => void>>;

/** Adds listeners by event name; returns a function that removes them. */
export function listen(target: EventTarget, handlers: Handlers, options?: AddEventListenerOptions): () => void {
  const entries = Object.entries(handlers) as [string, EventListener][];
  for (const [name, handler] of entries) target.addEventListener(name, handler, options);
  return () => {
    for (const [name, handler] of entries) target.removeEventListener(name, handler, options);
  };
}
