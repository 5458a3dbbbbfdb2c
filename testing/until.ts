/**
 * Far more than anything here takes, on a machine that others use too; without it a test that fails would go on looking
 * after its own end.
 */
const boundMs = 60_000;
/** Each look takes processor time from what is waited for: the longer it has not come, the rarer the looks. */
const [pauseMsMin, pauseMsMax] = [2, 25];

/** Resolves once `look` gives true. */
export async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + boundMs;
  for (let pauseMs = pauseMsMin; !(await look()); pauseMs = Math.min(pauseMsMax, pauseMs * 1.5)) {
    if (performance.now() > deadline) throw new Error(`not so within ${boundMs} ms: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
