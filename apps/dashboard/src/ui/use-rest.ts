import { useEffect, useRef } from 'preact/hooks';
import { endAll } from '../state/store.ts';
import { listen } from './listen.ts';

const restMs = 4000;

/** Calls a function once pointer, keys and scrolling have rested for a moment; `undefined` = there is nothing to call. */
export function useRest(call: (() => void) | undefined): void {
  const latest = useRef(call);
  latest.current = call;
  const isWanted = call !== undefined;
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const moved = () => {
      movedAt.current = performance.now();
    };
    const events = { pointermove: moved, pointerdown: moved, keydown: moved };
    return endAll(
      listen(document, events, { passive: true }),
      listen(document, { scroll: moved }, { capture: true, passive: true }),
    );
  }, []);
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (leastMs: number) => {
      const leftMs = Math.max(leastMs, movedAt.current + restMs - performance.now());
      timer = setTimeout(() => {
        if (performance.now() - movedAt.current >= restMs) latest.current?.();
        else wait(0);
      }, leftMs);
    };
    wait(restMs / 4);
    return () => clearTimeout(timer);
  }, [isWanted]);
}
