import { type Answer, useAnswer } from './answer.ts';

/**
 * Loads the code of a part of the page when it is first used, and retries when the service answers again. A newer service
 * no longer has the file: then the page itself is reloaded, but only while the service answers, because the browser would
 * replace the page with its own error page.
 */
export function useLoaded<Part>(load: () => Promise<Part>, about: readonly unknown[]): Answer<{ readonly part: Part }> {
  const answer = useAnswer(async () => ({ part: await load() }), about);
  if (answer.kind !== 'failed') return answer;
  const retry = () => void load().then(answer.retry, reload);
  return { kind: 'failed', what: "could not be loaded. The service isn't responding or was updated.", retry };
}

async function reload(): Promise<void> {
  const isThere = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) location.reload();
}
