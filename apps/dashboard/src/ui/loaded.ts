import { type Answer, useAnswer } from './answer.ts';

/**
 * A part of the page whose code is loaded when it is first wanted, and again when the service answers again. A newer
 * service no longer has the file that this page asks for: then only the page itself can be loaded anew, which is not
 * tried while the service is away, because a browser would show its own page for that.
 */
export function useLoaded<Part>(load: () => Promise<Part>, about: readonly unknown[]): Answer<{ readonly part: Part }> {
  const answer = useAnswer(async () => ({ part: await load() }), about);
  if (answer.kind !== 'failed') return answer;
  const retry = () => void load().then(answer.retry, reload);
  return { kind: 'failed', what: 'could not be loaded: the service does not answer, or has changed.', retry };
}

async function reload(): Promise<void> {
  const isThere = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) location.reload();
}
