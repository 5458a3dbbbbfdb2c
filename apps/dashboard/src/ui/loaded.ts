import { type Answer, useAnswer } from './answer.ts';

/**
 * Loads the code of a part of the page on first use, and retries when the service answers again. If the service was
 * upgraded and no longer has the file, the page is reloaded, but only while the service is reachable. Otherwise the
 * browser would replace the page with its own error page.
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
