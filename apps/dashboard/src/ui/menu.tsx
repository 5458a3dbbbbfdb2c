import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { endAll } from '../state/store.ts';
import { useAddress } from './app.ts';
import { listen } from './listen.ts';

interface MenuProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
  /** The look of the button. */
  readonly look?: string;
}

/** A button that opens a small panel below it. Escape, a press elsewhere and navigation close the panel. */
export function Menu({ title, children, look = 'chip' }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const { view, asof, board, range } = useAddress();
  useEffect(() => {
    const element = details.current;
    if (!element?.open) return;
    const hadFocus = element.contains(document.activeElement);
    element.open = false;
    if (hadFocus) element.querySelector('summary')?.focus();
  }, [view, asof, board.layout, range]);
  useEffect(() => {
    const press = ({ target }: Event) => {
      const element = details.current;
      if (element?.open && !element.contains(target as Node)) element.open = false;
    };
    const onKey = (event: KeyboardEvent) => {
      const element = details.current;
      if (event.key !== 'Escape' || !element?.open) return;
      // A press of Escape closes only the menu.
      event.preventDefault();
      element.open = false;
      const focused = document.activeElement as HTMLElement | null;
      const isElsewhere = focused !== null && focused.tabIndex >= 0 && !element.contains(focused);
      if (!isElsewhere) element.querySelector('summary')?.focus();
    };
    return endAll(listen(document, { pointerdown: press }), listen(document, { keydown: onKey }, { capture: true }));
  }, []);
  return (
    <details ref={details} class="menu">
      <summary class={look}>{title}</summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
