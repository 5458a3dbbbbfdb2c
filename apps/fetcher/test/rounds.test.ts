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
  rounds.polled('a', 1, false);
  rounds.polled('b', 2, true);
  rounds.polled('c', 0, false);
  expect(rounds.begin(3)).toEqual(['b', 'c', 'a']);
  expect(rounds.begin(2 + 24 * hourMs)).toEqual(['c', 'a', 'b']);
});

test('a cycle that reaches only one place reaches all of them in turn', () => {
  const rounds = roundsOf('a', 'b', 'c');
  const reached = [1, 2, 3, 4].map((nowMs) => {
    const [first = ''] = rounds.begin(nowMs);
    rounds.polled(first, nowMs, false);
    return first;
  });
  expect(reached).toEqual(['a', 'b', 'c', 'a']);
});

test('a refused place is asked hourly, and is not what the others wait for', () => {
  const rounds = roundsOf('a', 'b');
  rounds.refused('a', 0);
  rounds.polled('b', 5, false);
  expect(rounds.begin(hourMs - 1)).toEqual(['b']);
  expect(rounds.begin(hourMs)).toEqual(['a', 'b']);
  expect([rounds.refusedNames, rounds.oldestPollMs]).toEqual([['a'], 5]);
  rounds.polled('a', hourMs, false);
  expect(rounds.refusedNames).toEqual([]);
});

test('a place that fails comes last, and does not hide how late the others are looked at', () => {
  const rounds = roundsOf('a', 'b', 'c');
  rounds.polled('b', 3, false);
  rounds.polled('c', 4, false);
  rounds.failed('a', 'list', 5, 'away');
  expect([rounds.begin(6), rounds.oldestPollMs, rounds.fault]).toEqual([['b', 'c', 'a'], 3, undefined]);
});

test('where the tool turns out to be away for all, a failure counts as if it had not been', () => {
  const rounds = roundsOf('a');
  rounds.failed('a', 'list', 1, 'away');
  const takeBack = rounds.failed('a', 'list', 2, 'away');
  takeBack();
  expect(rounds.failing).toEqual([['a', { sinceMs: 1, times: 1, triedMs: 1, why: 'away' }]]);
});

test('where all places fail the source has their fault, and none of them waits', () => {
  const rounds = roundsOf('a', 'b', 'c');
  rounds.refused('c', 1);
  for (const nowMs of [1, 2, 3]) for (const name of ['a', 'b']) rounds.failed(name, 'list', nowMs, `${name} is away`);
  expect([rounds.fault, rounds.begin(4)]).toEqual(['a is away', ['a', 'b']]);
  rounds.polled('b', 5, false);
  expect([rounds.fault, rounds.begin(6)]).toEqual([undefined, ['b']]);
});

test('a place that stays in the list keeps what is known of it, one that comes is looked at first', () => {
  const rounds = roundsOf('a', 'b');
  rounds.polled('a', 1, false);
  rounds.set(['a', 'c']);
  expect([rounds.size, rounds.begin(2)]).toEqual([2, ['c', 'a']]);
});
