import type { DeploymentEvent } from '@shiplog/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../ui/app.ts';

/** Loads each event once (questions.md 4.2). A missing event is still loading or was removed. */
export function useEventsOf(ids: readonly string[]): ReadonlyMap<string, DeploymentEvent> {
  const { client } = useApp().connection;
  const [events, setEvents] = useState<ReadonlyMap<string, DeploymentEvent>>(new Map());
  const asked = useRef(new Set<string>());
  const over = useRef(new AbortController());
  useEffect(() => () => over.current.abort(), []);
  useEffect(() => {
    const { signal } = over.current;
    const missing = ids.filter((id) => !asked.current.has(id));
    for (const id of missing) asked.current.add(id);
    const asking = missing.map((id) => client.getDeployment({ params: { id }, signal }).then(({ body }) => body));
    void Promise.allSettled(asking).then((answers) => {
      const here = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      if (here.length === 0 || signal.aborted) return;
      setEvents((before) => new Map([...before, ...here.map((event) => [event.id, event] as const)]));
    });
  }, [ids.join(' ')]);
  return events;
}
