import { type ComponentChildren, createElement } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PartProps {
  readonly className: string;
  readonly rows: number;
  /** The row height of a part that is empty at first. */
  readonly rowPx?: number;
  readonly children: () => ComponentChildren;
}

/** A part of a long list. If it is more than a screen away from the visible area, it is empty and keeps its height. */
export function Part({ className, rows, rowPx, children }: PartProps) {
  const element = useRef<HTMLOListElement>(null);
  const isNear = useRef(rowPx === undefined);
  const [rowHeight, setRowHeight] = useState(rowPx);
  const update = (focused: Element | null) => {
    const part = element.current;
    if (isNear.current) setRowHeight(undefined);
    // The part with the focus stays rendered, because scrolling would otherwise lose the focus.
    else if (part && !part.contains(focused)) setRowHeight((before) => before ?? part.offsetHeight / rows);
  };
  const latest = useRef(update);
  latest.current = update;
  useLayoutEffect(
    () =>
      watch(element.current, (near) => {
        isNear.current = near;
        latest.current(document.activeElement);
      }),
    [],
  );
  const onFocusOut = ({ relatedTarget }: FocusEvent) => update(relatedTarget as Element | null);
  if (rowHeight === undefined) return createElement('ol', { ref: element, class: className, onFocusOut }, children());
  return createElement('ol', { ref: element, class: className, style: { height: `${rowHeight * rows}px` } });
}

const observers = new WeakMap<Element, IntersectionObserver>();
const listeners = new WeakMap<Element, (isNear: boolean) => void>();

/** Reports whether an element is near the visible area, at once and after each change. @returns a function to stop. */
function watch(element: Element | null, listener: (isNear: boolean) => void): (() => void) | undefined {
  const scroller = scrollerOf(element);
  if (!element || !scroller) return undefined;
  const observer =
    observers.get(scroller) ?? new IntersectionObserver(notify, { root: scroller, rootMargin: nearness });
  observers.set(scroller, observer);
  listeners.set(element, listener);
  observer.observe(element);
  return () => observer.unobserve(element);
}

function notify(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
}

/** One screen height above and below the visible area. */
export const nearness = '100% 0px';

/** The scrolling element of a list: the page or the drawer. */
export function scrollerOf(element: Element | null): Element | null {
  return element?.closest('main, .drawer') ?? null;
}
