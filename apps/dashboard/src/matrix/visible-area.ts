import { useLayoutEffect, useState } from 'preact/hooks';
import { listen } from '../ui/listen.ts';

/** The part of a scrolled element that is visible, in pixels. */
interface VisibleArea {
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
    let frame = 0;
    const measure = () => {
      frame = 0;
      const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element;
      setArea((before) =>
        before.top === top && before.left === left && before.width === width && before.height === height
          ? before
          : { top, left, width, height },
      );
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
  }, [scroller]);
  return area;
}
