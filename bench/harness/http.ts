import { Agent, get } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** One GET over a connection that stays open, with the time until its last byte. */
export function timedGet(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Timed> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          ms: performance.now() - startedAt,
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      );
    }).on('error', reject);
  });
}

/** The times of so many GETs, one after another, after a few that do not count. */
export async function getTimes(url: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = -5; index < count; index += 1) {
    const { ms, status } = await timedGet(url);
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    if (index >= 0) times.push(ms);
  }
  return times;
}
