import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { endAll } from '../state/store.ts';
import { useAddress } from './app.ts';
import { listen } from './listen.ts';

/** A button that opens a small panel below it. Escape, a press elsewhere and navigation close the panel. */
export function Menu({ title, children }: { readonly title: ComponentChildren; readonly children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  const { view, servicesOnly, asof, quiet } = useAddress();
  useEffect(() => {
    const element = details.current;
    if (!element?.open) return;
    const hadFocus = element.contains(document.activeElement);
    element.open = false;
    if (hadFocus) element.querySelector('summary')?.focus();
  }, [view, servicesOnly, asof, quiet]);
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
      <summary class="chip">{title}</summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
