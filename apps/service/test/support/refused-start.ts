import { ProgramProcess } from '@shiplog/testing';
import { expect } from 'vitest';

/** Keys that must never appear in the output. */
export const secretKeys = { API_KEY: 'secret-of-pipelines', CONTROL_API_KEY: 'secret-of-operators' } as const;
const secrets = /secret-of-/;

/**
 * Starts a service that must refuse to start, and returns its error messages. Checks that it exits with 1 and writes
 * one sentence per error to standard error, each on a separate line, without stack traces or secrets.
 */
export async function refusedStart(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const service = ProgramProcess.spawn('service', { PORT: '0', ...environment });
  let said = '';
  service.child.stderr?.on('data', (text: string) => {
    said += text;
  });
  const code = await service.exited();
  expect(service.output).not.toMatch(secrets);
  // A log line may report another error with its stack trace.
  const whyEnded = service.output.split('\n').filter((line) => !/"level":[1-4]0,/.test(line));
  expect(whyEnded.join('\n'), 'no stack').not.toMatch(/"stack"|\n\s+at /);
  expect(said).toMatch(/^\nShiplog cannot start\.\n/);
  const sentences = said.trim().split('\n').slice(1);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z/].*[^.]\.$|^[A-Z/].*;$/);
  expect(code).toBe(1);
  return sentences;
}
