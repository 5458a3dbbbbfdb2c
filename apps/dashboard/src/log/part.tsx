import { type ComponentChildren, createElement } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PartProps {
  readonly tag: 'ol' | 'li';
  readonly className: string;
  /** Rows that are drawn in it. */
  readonly rows: number;
  /** The height of a row, in pixels, of a part that is not drawn before it is near; all others are drawn at first. */
  readonly rowPx?: number;
  readonly children: () => ComponentChildren;
}

/**
 * A part of a long list. More than a screen away from what is visible it is empty and keeps its height, so that a list
 * of any length costs the browser only what is visible of it.
 */
export function Part({ tag, className, rows, rowPx, children }: PartProps) {
  const element = useRef<HTMLElement>(null);
  const isNear = useRef(rowPx === undefined);
  /** The height of a row while the part is empty. */
  const [rowHeight, setRowHeight] = useState(rowPx);
  const look = (focused: Element | null) => {
    const part = element.current;
    if (isNear.current) setRowHeight(undefined);
    // The part with the keyboard's focus stays, or scrolling would lose the focus.
    else if (part && !part.contains(focused)) setRowHeight((before) => before ?? part.offsetHeight / rows);
  };
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(
    () =>
      watch(element.current, (near) => {
        isNear.current = near;
        latest.current(document.activeElement);
      }),
    [],
  );
  const onFocusOut = ({ relatedTarget }: FocusEvent) => look(relatedTarget as Element | null);
  if (rowHeight === undefined) return createElement(tag, { ref: element, class: className, onFocusOut }, children());
  return createElement(tag, { ref: element, class: className, style: { height: `${rowHeight * rows}px` } });
}

/** One observer for each element that scrolls. */
const observers = new WeakMap<Element, IntersectionObserver>();
const listeners = new WeakMap<Element, (isNear: boolean) => void>();

/** Tells whether an element is near, at once and whenever that changes; returns what ends that. */
function watch(element: Element | null, listener: (isNear: boolean) => void): (() => void) | undefined {
  const scroller = scrollerOf(element);
  if (!element || !scroller) return undefined;
  const observer = observers.get(scroller) ?? new IntersectionObserver(tell, { root: scroller, rootMargin: nearness });
  observers.set(scroller, observer);
  listeners.set(element, listener);
  observer.observe(element);
  return () => observer.unobserve(element);
}

function tell(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
}

/** A screen above and below. */
export const nearness = '100% 0px';

/** The element that scrolls a list: the page's content, or the drawer. */
export function scrollerOf(element: Element | null): Element | null {
  return element?.closest('main, .drawer') ?? null;
}
