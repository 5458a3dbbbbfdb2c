import { expect, test } from 'vitest';
import { Rounds } from '../src/tool/rounds.ts';

const hourMs = 3_600_000;

function roundsOf(...names: string[]): Rounds {
  const rounds = new Rounds();
  rounds.set(names);
  return rounds;
}

test('who has waited longest comes first, and places with news in 24 hours before all others', () => {
  const rounds = roundsOf('a', 'b', 'c');
  rounds.looked('a', 1, false);
  rounds.looked('b', 2, true);
  rounds.looked('c', 0, false);
  expect(rounds.begin(3)).toEqual(['b', 'c', 'a']);
  expect(rounds.begin(2 + 24 * hourMs)).toEqual(['c', 'a', 'b']);
});

test('a cycle that reaches only one place reaches all of them in turn', () => {
  const rounds = roundsOf('a', 'b', 'c');
  const reached = [1, 2, 3, 4].map((nowMs) => {
    const [first = ''] = rounds.begin(nowMs);
    rounds.looked(first, nowMs, false);
    return first;
  });
  expect(reached).toEqual(['a', 'b', 'c', 'a']);
});

test('a refused place is asked hourly, and is not what the others wait for', () => {
  const rounds = roundsOf('a', 'b');
  rounds.refused('a', 0);
  rounds.looked('b', 5, false);
  expect(rounds.begin(hourMs - 1)).toEqual(['b']);
  expect(rounds.begin(hourMs)).toEqual(['a', 'b']);
  expect([rounds.refusedNames, rounds.oldestLookMs]).toEqual([['a'], 5]);
  rounds.looked('a', hourMs, false);
  expect(rounds.refusedNames).toEqual([]);
});

test('three failures in a row mean that the tool is away, an answer between them means that it is not', () => {
  const rounds = roundsOf('a', 'b', 'c', 'd');
  rounds.begin(0);
  expect([rounds.failed('a', 1), rounds.failed('b', 2)]).toEqual([false, false]);
  rounds.looked('c', 3, false);
  expect([rounds.failed('a', 4), rounds.failed('b', 5), rounds.failed('d', 6)]).toEqual([false, false, true]);
  expect(rounds.oldestLookMs).toBeUndefined();
});

test('of a single place one failure is enough', () => {
  const rounds = roundsOf('a');
  rounds.begin(0);
  expect(rounds.failed('a', 1)).toBe(true);
});

test('a place that stays in the list keeps what is known of it, one that comes is looked at first', () => {
  const rounds = roundsOf('a', 'b');
  rounds.looked('a', 1, false);
  rounds.set(['a', 'c']);
  expect([rounds.names, rounds.has('b'), rounds.begin(2)]).toEqual([['a', 'c'], false, ['c', 'a']]);
});
