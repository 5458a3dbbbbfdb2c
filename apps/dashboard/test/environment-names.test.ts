import { describe, expect, test } from 'vitest';
import { emptyBoard } from '../src/board/board.ts';
import type { Stage } from '../src/board/stages.ts';
import { placesNamed } from '../src/shell/environment-names.ts';

function aStagePerEnvironment(...names: readonly string[]): Stage[] {
  return names.map((name) => ({ name, environments: [name], isProduction: name === names.at(-1) }));
}

const named = (typed: string, environments: readonly string[], stages: readonly Stage[] = []) =>
  placesNamed(typed, { board: { ...emptyBoard, environments }, stages }).map(({ name }) => name);

describe('finds an environment by any of its usual names', () => {
  const environments = ['dev', 'prod-eu', 'prod-us', 'production', 'PREPROD', 'Staging', 'qa', '__proto__'];
  const stages = aStagePerEnvironment('dev', 'Staging', 'production');
  test.each<[string, readonly string[]]>([
    ['prod', ['production']],
    ['Production', ['production']],
    ['prod-eu', ['prod-eu']],
    ['prod eu', ['prod-eu']],
    ['stg', ['Staging']],
    ['sta', ['Staging']],
    ['pre', ['PREPROD']],
    ['development', ['dev']],
    ['pro', ['production']],
    ['__proto__', ['__proto__']],
    ['p', []],
    ['', []],
    ['constructor', []],
  ])('resolves the name "%s" to %j', (typed, due) => {
    expect(named(typed, environments, stages)).toEqual(due);
  });

  test('a prefix may mean several environments if the promotion order has none or several of them', () => {
    expect(named('prod-', ['prod-us', 'prod-eu-west'])).toEqual(['prod-us', 'prod-eu-west']);
    expect(named('prod', ['production', 'prod'])).toEqual(['prod']);
  });

  const live = { name: 'production', environments: ['prod-eu', 'prod-us', 'dr'], isProduction: true };
  test.each<[string, readonly string[]]>([
    ['production', ['production']],
    ['prod', ['production']],
    ['live', ['production']],
    ['prod-', ['production']],
    ['prod-eu', ['prod-eu']],
    ['dr', ['dr']],
  ])('a stage of several environments is a place: "%s" means %j', (typed, due) => {
    expect(named(typed, ['dev', 'dr', 'prod-eu', 'prod-us'], [live])).toEqual(due);
  });
});
