import { useEffect, useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp, usePast } from './app.ts';
import { freshness, ofThePast } from './freshness-label.ts';

const everyMs = 1000;

export function Freshness() {
  const { connection } = useApp();
  const state = useStore(connection.link);
  const [nowMs, setNow] = useState(Date.now());
  const [lastAt, setLastAt] = useState<number>();
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => connection.onEvents(() => setLastAt(Date.now())), []);
  const isPast = usePast() !== undefined;
  const { tone, label, title } = isPast ? ofThePast : freshness(state, lastAt, nowMs);
  return (
    <span class={`live ${tone}`} title={title}>
      <i aria-hidden="true" />
      <span aria-hidden="true">{label}</span>
      {/* A screen reader announces the state of the connection, not each second of the age. */}
      <span class="unseen" role="status">
        {state.link}
      </span>
    </span>
  );
}
