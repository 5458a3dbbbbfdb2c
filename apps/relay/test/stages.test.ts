import { TestClock } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Stages } from '../src/stages.ts';

function stagesOf(...answers: readonly (readonly string[])[]) {
  const clock = new TestClock();
  const warnings: string[] = [];
  let asked = 0;
  const log = {
    stages: async () => {
      const environments = [...(answers[Math.min(asked, answers.length - 1)] ?? [])];
      asked += 1;
      return [{ name: 'Live', environments, production: true }];
    },
  };
  const stages = new Stages({ log, clock, warn: (sentence) => void warnings.push(sentence) });
  return { stages, clock, warnings, asked: () => asked };
}

test('stages are requested at most once in 30 s, except for an environment that they do not have yet', async () => {
  const { stages, clock, asked } = stagesOf(['prod-eu'], ['prod-eu', 'prod-us'], ['prod-us']);
  expect(await stages.isIn('prod-eu', ['other', 'live'])).toBe(true);
  expect(await stages.isIn('prod-eu', ['LIVE'])).toBe(true);
  expect(asked()).toBe(1);
  expect(await stages.isIn('prod-us', ['live'])).toBe(true);
  expect(asked()).toBe(2);
  clock.advance(30_000);
  expect(await stages.isIn('prod-eu', ['live'])).toBe(false);
  expect(asked()).toBe(3);
});

test('an unknown stage matches nothing and is reported once', async () => {
  const { stages, warnings } = stagesOf(['prod-eu']);
  expect([await stages.isIn('prod-eu', ['prod']), await stages.isIn('prod-eu', ['prod'])]).toEqual([false, false]);
  expect(warnings).toEqual(['No stage is named "prod", so rules with it match nothing.']);
});
