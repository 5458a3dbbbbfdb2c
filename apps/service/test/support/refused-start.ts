import { ProgramProcess } from '@shiplog/testing';
import { expect } from 'vitest';

/** Keys that must never come out again. */
export const secretKeys = { API_KEY: 'secret-of-pipelines', CONTROL_API_KEY: 'secret-of-operators' } as const;
const secrets = /secret-of-/;

/**
 * Starts a service that has to refuse to start: it ends with 1, and says why on standard error in one sentence per
 * fault, each a line of its own that a person can act on, without a stack and without a secret. Gives the sentences.
 */
export async function refusedStart(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const service = ProgramProcess.spawn('service', { PORT: '0', ...environment });
  let said = '';
  service.child.stderr?.on('data', (text: string) => {
    said += text;
  });
  const code = await service.exited();
  expect(service.output).not.toMatch(secrets);
  // A line of the log may tell of something else that went wrong meanwhile, with its stack.
  const whyEnded = service.output.split('\n').filter((line) => !/"level":[1-4]0,/.test(line));
  expect(whyEnded.join('\n'), 'no stack').not.toMatch(/"stack"|\n\s+at /);
  expect(said).toMatch(/^\nShiplog cannot start\.\n/);
  const sentences = said.trim().split('\n').slice(1);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z/].*[^.]\.$|^[A-Z/].*;$/);
  expect(code).toBe(1);
  return sentences;
}
