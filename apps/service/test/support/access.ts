import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyDigest, newKey } from '@shiplog/access';
import { anEvent, type TestServiceOptions, testDatabase, testFolder, testService } from '@shiplog/testing';

/** Two complete keys of the file. */
export const keys = {
  payments: newKey('payments', Buffer.alloc(32, 1)),
  operator: newKey('operator', Buffer.alloc(32, 2)),
} as const;

export const keyEntries = `
  - id: payments
    name: jenkins-payments
    sha256: ${keyDigest(keys.payments)}
    may:
      post: { services: ["pay-*"], environments: [staging, prod] }
      report: ["relay-*"]
      state: ["github-*"]
  - id: operator
    name: operator
    sha256: ${keyDigest(keys.operator)}
    may: { control: true, read: true }
`;

/** A service with an access file, which tests can change. */
export async function accessService(file: string, options: Partial<TestServiceOptions> = {}) {
  const path = join(await testFolder(), 'access.yaml');
  const write = (text: string) => writeFileSync(path, text);
  write(file);
  const databaseUrl = options.databaseUrl ?? (await testDatabase()).url;
  const { url } = await testService({
    databaseUrl,
    ...options,
    config: { accessFile: path, publicUrl: 'https://shiplog.example', ...options.config },
    times: { accessPollMs: 20, refusalsMs: 5, ...options.times },
  });
  return { url, databaseUrl, path, write };
}

export interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** Sends a request with these headers. */
export async function send(
  url: string,
  path: string,
  headers: Record<string, string>,
  options: RequestInit = {},
): Promise<Answered> {
  const response = await fetch(`${url}${path}`, { redirect: 'manual', ...options, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** Posts an event. */
export function post(url: string, headers: Record<string, string>, event: Partial<Parameters<typeof anEvent>[0]> = {}) {
  return send(url, '/api/deployments', headers, { method: 'POST', body: JSON.stringify(anEvent(event)) });
}
