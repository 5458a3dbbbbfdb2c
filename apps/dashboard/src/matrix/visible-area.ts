import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Store } from '../state/store.ts';
import { listen } from '../ui/listen.ts';
import { differ } from '../ui/memo.ts';

/** How far an element is scrolled, in pixels. */
interface ScrollPosition {
  readonly top: number;
  readonly left: number;
}

/** The part of a scrolled element that is visible, in pixels. */
export interface VisibleArea {
  readonly width: number;
  readonly height: number;
  /** Changes in each frame of a scroll, so only `useScrolled` should listen. */
  readonly position: Store<ScrollPosition>;
}

/** The visible area of an element, measured at most once per frame. */
export function useVisibleArea(scroller: { readonly current: HTMLElement | null }): VisibleArea {
  const [area, setArea] = useState<VisibleArea>(() => {
    return { width: innerWidth, height: innerHeight, position: new Store({ top: 0, left: 0 }) };
  });
  const { position } = area;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const measure = () => {
      frame = 0;
      const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element;
      setArea((before) => (before.width === width && before.height === height ? before : { width, height, position }));
      position.set({ top, left });
    };
    const measureSoon = () => {
      frame ||= requestAnimationFrame(measure);
    };
    const sizes = new ResizeObserver(measureSoon);
    sizes.observe(element);
    const end = listen(element, { scroll: measureSoon }, { passive: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      end();
    };
  }, [scroller, position]);
  return area;
}

/** A record that depends on the scroll position. The component renders again only when a value in the record changes. */
export function useScrolled<Shown extends object>(
  { position }: VisibleArea,
  shownAt: (position: ScrollPosition) => Shown,
): Shown {
  const [, render] = useState({});
  const before = useRef<Shown | undefined>(undefined);
  const now = shownAt(position.value);
  const shown = before.current && !differ(before.current, now) ? before.current : now;
  before.current = shown;
  useLayoutEffect(() => {
    const update = () => {
      if (differ(shown, shownAt(position.value))) render({});
    };
    // The position may have changed since this component rendered.
    update();
    return position.listen(update);
  });
  return shown;
}
