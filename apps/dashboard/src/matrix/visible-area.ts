import { useLayoutEffect, useState } from 'preact/hooks';
import { listen } from '../ui/listen.ts';

/** The part of a scrolled element that is visible, in pixels. */
export interface VisibleArea {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The visible area of an element, measured at most once per frame. */
export function useVisibleArea(scroller: { readonly current: HTMLElement | null }): VisibleArea {
  const [area, setArea] = useState<VisibleArea>({ top: 0, left: 0, width: innerWidth, height: innerHeight });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let asked = 0;
    const look = () => {
      asked = 0;
      const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element;
      setArea((before) =>
        before.top === top && before.left === left && before.width === width && before.height === height
          ? before
          : { top, left, width, height },
      );
    };
    const ask = () => {
      asked ||= requestAnimationFrame(look);
    };
    const sizes = new ResizeObserver(ask);
    sizes.observe(element);
    const end = listen(element, { scroll: ask }, { passive: true });
    look();
    return () => {
      cancelAnimationFrame(asked);
      sizes.disconnect();
      end();
    };
  }, [scroller]);
  return area;
}
