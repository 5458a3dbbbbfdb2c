import { systemClock } from '@shiplog/client';
import { type Act, answers, clientOf, testKeys } from '@shiplog/testing';
import type { Check, Installation } from '../../src/doctor/finding.ts';

export async function found(url: string, check: Check, more: Partial<Installation> = {}): Promise<string[]> {
  const client = clientOf(url);
  const { signal } = new AbortController();
  const findings = await check({ url, isLocal: true, client, keys: testKeys, clock: systemClock, signal, ...more });
  return findings.map(({ level, text }) => `${level}: ${text}`);
}

export const problem = (status: number, members: object = {}): Act =>
  answers(status, JSON.stringify({ type: '/problems/x', title: 'x', status, detail: 'x', ...members }), {
    'content-type': 'application/problem+json',
  });
