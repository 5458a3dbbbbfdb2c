import { useEffect, useState } from 'preact/hooks';
import { endAll } from '../state/store.ts';
import { useApp } from './app.ts';

/** A number that grows when the service answers again after it did not, and when the log was cleared: what was read may be wrong. */
export function useRecoveries(): number {
  const { connection } = useApp();
  const [count, setCount] = useState(0);
  useEffect(() => {
    const isAwayNow = () => ['away', 'polling'].includes(connection.link.value.link);
    let isAway = isAwayNow();
    const next = () => setCount((before) => before + 1);
    const look = () => {
      if (isAway && connection.link.value.link === 'live') next();
      isAway = isAwayNow();
    };
    return endAll(connection.link.listen(look), connection.onCleared(next));
  }, [connection]);
  return count;
}

/** A number that grows at each recovery, and at an interval while the page is visible, so that what is asked about it is asked again. */
export function useRounds(everyMs: number): number {
  const recoveries = useRecoveries();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setRound((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return round + recoveries;
}
