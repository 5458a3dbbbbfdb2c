import { expect, test } from 'vitest';
import { Rounds } from '../src/tool/rounds.ts';

const hourMs = 3_600_000;

function roundsOf(...names: string[]): Rounds {
  const rounds = new Rounds();
  rounds.set(names);
  return rounds;
}

test('places with changes in the last 24 hours are polled first, then those that have waited longest', () => {
  const rounds = roundsOf('a', 'b', 'c');
  rounds.polled('a', 1, false);
  rounds.polled('b', 2, true);
  rounds.polled('c', 0, false);
  expect(rounds.begin(3)).toEqual(['b', 'c', 'a']);
  expect(rounds.begin(2 + 24 * hourMs)).toEqual(['c', 'a', 'b']);
});

test('if each cycle reaches only one place, the places take turns', () => {
  const rounds = roundsOf('a', 'b', 'c');
  const reached = [1, 2, 3, 4].map((nowMs) => {
    const [first = ''] = rounds.begin(nowMs);
    rounds.polled(first, nowMs, false);
    return first;
  });
  expect(reached).toEqual(['a', 'b', 'c', 'a']);
});

test('a refused place is retried hourly and does not count as the least recently polled one', () => {
  const rounds = roundsOf('a', 'b');
  rounds.refused('a', 0);
  rounds.polled('b', 5, false);
  expect(rounds.begin(hourMs - 1)).toEqual(['b']);
  expect(rounds.begin(hourMs)).toEqual(['a', 'b']);
  expect([rounds.refusedNames, rounds.oldestPollMs]).toEqual([['a'], 5]);
  rounds.polled('a', hourMs, false);
  expect(rounds.refusedNames).toEqual([]);
});

test('a failing place is polled last and does not hide the delay of others', () => {
  const rounds = roundsOf('a', 'b', 'c');
  rounds.polled('b', 3, false);
  rounds.polled('c', 4, false);
  rounds.failed('a', 'list', 5, 'away');
  expect([rounds.begin(6), rounds.oldestPollMs, rounds.fault]).toEqual([['b', 'c', 'a'], 3, undefined]);
});

test('a failure is undone if the tool turns out to be unreachable', () => {
  const rounds = roundsOf('a');
  rounds.failed('a', 'list', 1, 'away');
  const takeBack = rounds.failed('a', 'list', 2, 'away');
  takeBack();
  expect(rounds.failing).toEqual([['a', { sinceMs: 1, times: 1, triedMs: 1, why: 'away' }]]);
});

test('if all places fail, the source fails, and no place is skipped', () => {
  const rounds = roundsOf('a', 'b', 'c');
  rounds.refused('c', 1);
  for (const nowMs of [1, 2, 3]) for (const name of ['a', 'b']) rounds.failed(name, 'list', nowMs, `${name} is away`);
  expect([rounds.fault, rounds.begin(4)]).toEqual(['a is away', ['a', 'b']]);
  rounds.polled('b', 5, false);
  expect([rounds.fault, rounds.begin(6)]).toEqual([undefined, ['b']]);
});

test('a place that is still listed keeps its state, and a new place is polled first', () => {
  const rounds = roundsOf('a', 'b');
  rounds.polled('a', 1, false);
  rounds.set(['a', 'c']);
  expect([rounds.size, rounds.begin(2)]).toEqual([2, ['c', 'a']]);
});
