/** A JSON object with unchecked members. */
export type Fields = Readonly<Record<string, unknown>>;

/** The response to a call, or an error message to display. `retryAfter` is in seconds; 0 without that header. */
export type Reply<Value = Fields> =
  | { readonly ok: true; readonly value: Value; readonly retryAfter: number }
  | { readonly ok: false; readonly status: number; readonly message: string; readonly retryAfter: number };

/** Calls the program that serves this page; `path` is relative to the page. */
export async function call<Value = Fields>(
  path: string,
  { method = 'GET', body }: { readonly method?: string; readonly body?: object | undefined } = {},
): Promise<Reply<Value>> {
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
      : { ok: false, status: response.status, message: problemText(response.status, value), retryAfter };
  } catch {
    const message = `Can’t reach ${location.host}. Check that the program is running, then try again.`;
    return { ok: false, status: 0, message, retryAfter: 0 };
  }
}

function problemText(status: number, { detail, title, errors }: Fields): string {
  const faults = Array.isArray(errors) ? errors.slice(0, 3).map((fault) => `${fault?.pointer}: ${fault?.message}`) : [];
  const sentence = detail || title || `The program returned ${status}. Check its log, then try again.`;
  return [sentence, ...faults].join(' ');
}

/** A string or number as text of at most `max` characters; empty for other types. */
export function fieldText(fields: Fields, name: string, max = 600): string {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, max) : '';
}

/** Converts a value of unknown type to an object; empty if the value has no members. */
export function fieldsOf(value: unknown): Fields {
  return Object(value);
}
