import { useLayoutEffect, useRef } from 'preact/hooks';
import { listen } from '../ui/listen.ts';

/** Highlights the version under the pointer or the focus in its whole row. Other rows have unrelated versions. */
export function useVersionHighlight(scroller: { readonly current: HTMLElement | null }): void {
  const at = useRef<Element | undefined>(undefined);
  const mark = () => {
    // The cell may have been removed, or show another version.
    const source = at.current?.isConnected ? at.current : undefined;
    const row = source?.closest('.board-row');
    const version = versionIn(source);
    for (const element of scroller.current?.querySelectorAll('[data-version]') ?? []) {
      const isSame = row?.contains(element) === true && element.getAttribute('data-version') === version;
      element.toggleAttribute('data-same', isSame);
    }
  };
  useLayoutEffect(() => {
    const grid = scroller.current;
    const update = ({ target }: Event) => {
      at.current = (target as Element).closest('[data-version], .cell') ?? undefined;
      mark();
    };
    const clear = () => {
      at.current = undefined;
      mark();
    };
    return grid
      ? listen(grid, { pointerover: update, focusin: update, pointerleave: clear, focusout: clear })
      : undefined;
  }, [scroller]);
  // Run after each render, to highlight cells that have just become visible.
  useLayoutEffect(() => {
    if (at.current) mark();
  });
}

function versionIn(element: Element | undefined): string | null | undefined {
  const named = element?.matches('[data-version]') ? element : element?.querySelector('[data-version]');
  return named?.getAttribute('data-version');
}
