import { useEffect, useState } from 'preact/hooks';
import { listen } from '../ui/listen.ts';

const shownMs = 3000;

/** Whether the pointer has just moved. The wall shows a link only then. */
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

/**
 * Keeps the screen awake if the browser supports it (HTTPS or localhost). The browser releases the lock when the page
 * is hidden.
 */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const hold = async () => {
      if (document.hidden || isOver) return;
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (isOver) void lock?.release();
    };
    const end = listen(document, { visibilitychange: () => void hold() });
    void hold();
    return () => {
      isOver = true;
      end();
      void lock?.release();
    };
  }, []);
}

const pageMs = 12_000;

/**
 * The current page. It changes every 12 s unless the viewer pauses it with the space bar. Arrow keys change it, too.
 */
export function usePages(count: number): { readonly page: number; readonly isHalted: boolean } {
  const [turned, setTurned] = useState(0);
  const [isHalted, setHalted] = useState(false);
  useEffect(() => {
    if (count < 2 || isHalted) return;
    const timer = setInterval(() => setTurned((before) => before + 1), pageMs);
    return () => clearInterval(timer);
  }, [count, isHalted]);
  useEffect(() => {
    if (count < 2) return;
    const press = (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by !== undefined) setTurned((before) => before + by);
      else if (event.key === ' ' && event.target === document.body) setHalted((before) => !before);
      else return;
      event.preventDefault();
    };
    return listen(document, { keydown: press });
  }, [count]);
  return { page: ((turned % count) + count) % count, isHalted };
}
