import { type ComponentChildren, createElement } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PartProps {
  readonly tag: 'ol' | 'li';
  readonly className: string;
  /** Rows that are drawn in it. */
  readonly rows: number;
  readonly children: () => ComponentChildren;
}

/**
 * A part of a long list. A screen away from what is in sight it is empty, and as high as it was, so that a list of any
 * length costs the browser what is to be seen of it.
 */
export function Part({ tag, className, rows, children }: PartProps) {
  const element = useRef<HTMLElement>(null);
  const isNear = useRef(true);
  /** How high a row was, where the part is empty. */
  const [rowHeight, setRowHeight] = useState<number>();
  const look = (focused: Element | null) => {
    const part = element.current;
    if (isNear.current) setRowHeight(undefined);
    // What holds the keyboard's place stays, or the focus would be lost by scrolling.
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

/** One observer for each place that scrolls. */
const observers = new WeakMap<Element, IntersectionObserver>();
const listeners = new WeakMap<Element, (isNear: boolean) => void>();

/** Tells of an element at once, and then whenever it comes near or leaves; gives what ends that. */
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

/** The place that scrolls a list: the page's content, or the drawer. */
export function scrollerOf(element: Element | null): Element | null {
  return element?.closest('main, .drawer') ?? null;
}
