/**
 * Calls the program that serves this page.
 * @param {string} path relative to the page
 * @param {{ method?: string, body?: object | undefined }} [options]
 * @returns {Promise<Reply>}
 */
export async function call(path, { method = 'GET', body } = {}) {
  try {
    const response = await fetch(path, {
      method,
      cache: 'no-store',
      signal: AbortSignal.timeout(15_000),
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const retryAfter = Number(response.headers.get('Retry-After'));
    const value = (await response.json().catch(() => undefined)) ?? {};
    return response.ok
      ? { ok: true, value, retryAfter }
      : { ok: false, status: response.status, message: sentence(response.status, value), retryAfter };
  } catch {
    const message = `Nothing answers at ${location.host}. Check that the program runs, then try again.`;
    return { ok: false, status: 0, message, retryAfter: 0 };
  }
}

/**
 * @param {number} status
 * @param {Fields} problem
 */
function sentence(status, { detail, title, errors }) {
  const faults = Array.isArray(errors) ? errors.slice(0, 3).map((fault) => `${fault?.pointer}: ${fault?.message}`) : [];
  return [detail || title || `The answer was ${status}. Look at the program’s log, then try again.`, ...faults].join(
    ' ',
  );
}
