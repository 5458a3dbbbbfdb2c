import { useLayoutEffect } from 'preact/hooks';
import { listen } from './listen.ts';

// What stands beside the page, which stays usable.

/**
 * The heading gets the focus when the drawer opens, and the element that had it gets it back, unless it has moved on.
 * Both happen before the next paint, so that the focus is never nowhere.
 */
export function useFocusWhileOpen(
  drawer: { readonly current: HTMLElement | null },
  heading: { readonly current: HTMLElement | null },
): void {
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
}

/**
 * Escape closes wherever the focus is, except in a field of the page, which uses the key itself. It is listened for as
 * soon as the drawer is in the page: whoever sees it may press the key.
 */
export function useEscape(drawer: { readonly current: HTMLElement | null }, onClose: () => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element;
      const isField = target.matches('input, select, textarea') && !drawer.current?.contains(target);
      if (!isField) onClose();
    };
    return listen(document, { keydown: press });
  }, [onClose]);
}
