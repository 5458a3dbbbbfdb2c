/**
 * Much longer than any real wait, even on a busy machine. Without a limit, polling would continue after a test has
 * failed.
 */
const boundMs = 60_000;
/** Each check takes CPU time from the program under test, so the pauses between checks grow. */
const [pauseMsMin, pauseMsMax] = [2, 25];

/** Resolves when `look` returns true. */
export async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + boundMs;
  for (let pauseMs = pauseMsMin; !(await look()); pauseMs = Math.min(pauseMsMax, pauseMs * 1.5)) {
    if (performance.now() > deadline) throw new Error(`not true within ${boundMs} ms: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
