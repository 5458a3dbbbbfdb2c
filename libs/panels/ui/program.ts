import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './api.ts';
import { announce } from './controls.tsx';
import { poll } from './poll.ts';

export interface PostOptions {
  readonly method?: string;
  readonly body?: object;
  /** The message to announce when the request succeeds. */
  readonly done?: string;
}

/**
 * Polls a program and posts to it. `read` returns whether the program responded; `faults` has the error of each card.
 */
export function useProgram(everyMs: number, read: () => Promise<boolean>) {
  const [isGone, setGone] = useState(false);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const refresh = useRef(() => {});
  useEffect(() => {
    refresh.current = poll(async () => {
      setGone(!(await read()));
      return everyMs;
    });
  }, []);
  /** `card`: the card that shows a failure. */
  const post = async (path: string, card: string, { method = 'POST', body, done = '' }: PostOptions = {}) => {
    const reply = await call(path, { method, body });
    setFaults((others) => ({ ...others, [card]: reply.ok ? '' : reply.message }));
    if (reply.ok) announce(done);
    refresh.current();
  };
  return { isGone, faults, refresh: () => refresh.current(), post };
}
