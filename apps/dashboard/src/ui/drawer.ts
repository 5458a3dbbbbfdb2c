import { useLayoutEffect, useRef } from 'preact/hooks';
import { listen } from './listen.ts';

/**
 * The elements of a drawer. Focuses the heading when the drawer opens, and the previously focused element when it
 * closes, unless another element outside has the focus. Both happen before the next paint, so that the focus is never
 * lost. Closes the drawer on Escape, wherever the focus is, except in a field of the page, which handles the key itself.
 * Starts listening before the first paint, because a user who sees the drawer may press the key.
 */
export function useDrawer(onClose: () => void) {
  const drawer = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const inside = drawer.current;
    heading.current?.focus({ preventScroll: true });
    return () => {
      const isElsewhere = document.activeElement !== document.body && !inside?.contains(document.activeElement);
      if (isElsewhere) return;
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
      const back = isThere ? before : document.getElementById('main');
      back?.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element;
      // A dialog over the drawer handles the key itself.
      if (document.querySelector('dialog[open]')) return;
      const isField = target.matches('input, select, textarea') && !drawer.current?.contains(target);
      if (!isField) onClose();
    };
    return listen(document, { keydown: press });
  }, [onClose]);
  return { drawer, heading };
}
