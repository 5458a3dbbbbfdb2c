import { type Answer, connections, exchange, RawClient } from '@shiplog/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attack, inTime } from './attack.ts';
import { targetsOf } from './cases.ts';
import { Attacked, documentedNames, programNames } from './programs.ts';
import { requestCases } from './request-cases.ts';
import { Verdict } from './verdict.ts';
import { type WireCase, wireCases } from './wire-cases.ts';

/** The minimum number of requests that the project requires. */
const requestsMin = 10_000;

let requests = 0;
const attacked = new Attacked();
let programs: Awaited<ReturnType<Attacked['start']>>;
let atFirst: unknown[];

const states = () => Promise.all(programNames.map((name) => programs[name].state()));

beforeAll(async () => {
  programs = await attacked.start();
  atFirst = await states();
});

afterAll(async () => {
  process.stdout.write(`${requests} requests\n`);
  await attacked.stop();
});

test.concurrent.each(documentedNames)(
  '%s: every invalid request returns a valid problem and changes nothing',
  async (name) => {
    const { url, state, ...program } = programs[name];
    const agent = connections(8);
    const verdict = new Verdict(program);
    const faults = await attack({
      cases: requestCases(program),
      state,
      group: ({ kind }) => kind,
      name: ({ kind, call }) => `${kind}: ${call.method} ${call.path} ${call.headers} ${call.body ?? ''}`.slice(0, 300),
      send: async (each) => {
        const answer = await inTime(exchange(url, each.call, agent), () => 'no answer');
        requests += 1;
        return verdict.faultsOf(each, answer);
      },
    });
    agent.destroy();
    expect(faults).toEqual([]);
  },
);

test.concurrent.each(programNames)(
  '%s: malformed bytes do not crash the program, smuggle a request or change its state',
  async (name) => {
    const { url, state, ...program } = programs[name];
    const verdict = new Verdict(program);
    const faults = await attack({
      cases: wireCases(targetsOf(program), program),
      state,
      group: ({ kind, what }) => `${kind}: ${what}`,
      name: ({ kind, what, call }) => `${kind}: ${what}: ${call.method} ${call.path}`,
      send: async (each) => {
        const answers = await wireAnswers(url, each);
        requests += 1;
        return verdict.faultsOfAll(each, answers);
      },
    });
    expect(faults).toEqual([]);
  },
);

test(`after at least ${requestsMin} requests, all programs run with unchanged state and have logged no error or key`, async () => {
  expect(requests).toBeGreaterThanOrEqual(requestsMin);
  expect(await states()).toEqual(atFirst);
  for (const { process: program, keys } of Object.values(programs)) {
    expect(program.running).toBe(true);
    expect(program.output).not.toMatch(/"level":(50|60)/);
    for (const key of Object.values(keys)) expect(program.output).not.toContain(key);
  }
});

/**
 * Sends the bytes of a case on a separate connection, and returns the responses until the program closes the
 * connection. Rejects if the program does not close it in time, or if the responses are not HTTP.
 */
async function wireAnswers(url: string, { bytes, ends }: WireCase): Promise<Answer[]> {
  const client = await RawClient.connect(url);
  void client.send(bytes);
  if (ends) client.end();
  await inTime(client.closed(), () => `still open after ${JSON.stringify(client.text.slice(0, 200))}`).finally(() =>
    client.close(),
  );
  return client.answers();
}
