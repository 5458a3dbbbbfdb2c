import { useEffect, useState } from 'preact/hooks';
import { listen } from '../ui/listen.ts';

/** The size of the window in pixels. */
export function useScreen(): { readonly width: number; readonly height: number } {
  const [screen, setScreen] = useState({ width: innerWidth, height: innerHeight });
  useEffect(() => listen(window, { resize: () => setScreen({ width: innerWidth, height: innerHeight }) }), []);
  return screen;
}

const shownMs = 3000;

/** Whether the pointer has just moved: only then the wall shows a link. */
export function usePointerMoved(): boolean {
  const [isMoved, setMoved] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const move = () => {
      setMoved(true);
      clearTimeout(timer);
      timer = setTimeout(() => setMoved(false), shownMs);
    };
    const end = listen(document, { pointermove: move, pointerdown: move }, { passive: true });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, []);
  return isMoved;
}
