import { StartError } from '@shiplog/server';

export interface Call {
  /** The display name of the program. */
  readonly program: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: object;
  readonly signal: AbortSignal;
}

/**
 * The text of a program's response.
 * @throws StartError if the program refuses.
 */
export async function readText({ program, method, url, body, signal }: Call): Promise<string> {
  const answer = await fetch(url, {
    method,
    signal,
    ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (answer.ok) return text;
  throw new StartError(`The ${program} answered ${answer.status} to ${method} ${new URL(url).pathname}: ${text}`);
}

/**
 * The JSON of a program's response.
 * @throws StartError if the program refuses.
 */
export async function readJson<Answer>(call: Call): Promise<Answer> {
  return JSON.parse(await readText(call)) as Answer;
}
