import { useEffect } from 'preact/hooks';

/** Keeps the screen awake if the browser supports it (HTTPS or localhost). The browser drops the lock in hidden pages. */
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
