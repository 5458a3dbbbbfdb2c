import { useEffect } from 'preact/hooks';

/** Keeps the screen awake where the browser can (over https and on localhost). It lets go of the lock whenever the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const hold = async () => {
      if (document.hidden || isOver) return;
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (isOver) void lock?.release();
    };
    const seen = () => void hold();
    document.addEventListener('visibilitychange', seen);
    seen();
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', seen);
      void lock?.release();
    };
  }, []);
}
