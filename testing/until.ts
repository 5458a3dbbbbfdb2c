/** Far more than anything here takes; without it a test that fails would go on looking after its own end. */
const boundMs = 15_000;

/**
 * Resolves once `look` gives true. It looks again as soon as the last look has ended: each one is a round trip to the
 * service or the database under test, so nothing is slept away and nothing spins.
 */
export async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + boundMs;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`not so within ${boundMs} ms: ${look}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
