import { describe, expect, test, vi } from 'vitest';
import { hurriedClock } from './fetcher/hurried-clock.ts';
import { newestIds, repositories } from './fetcher/repositories.ts';

describe('an accelerated clock', () => {
  test("starts at the machine's time and runs faster", () => {
    vi.useFakeTimers({ now: 1_000_000 });
    try {
      const clock = hurriedClock({ fromMs: 1_000_000, factor: 60 });
      expect(clock.now().getTime()).toBe(1_000_000);
      vi.advanceTimersByTime(1000);
      expect(clock.now().getTime()).toBe(1_060_000);
    } finally {
      vi.useRealTimers();
    }
  });

  test('shortens sleeps by the same factor', async () => {
    vi.useFakeTimers();
    try {
      const woken = vi.fn();
      const { sleep } = hurriedClock({ fromMs: 0, factor: 60 });
      const slept = sleep(60_000, new AbortController().signal).then(woken);
      await vi.advanceTimersByTimeAsync(999);
      expect(woken).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await slept;
      expect(woken).toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('repositories', () => {
  const all = { count: 3, deployments: 4, minutesApart: 45 };
  const made = [...repositories(all)].map(({ deployments }) => deployments);

  test('have the greatest id in their latest deployment', () => {
    const youngest = made.map((deployments) =>
      deployments.reduce((one, other) => ((one.elapsed_minutes ?? 0) < (other.elapsed_minutes ?? 0) ? one : other)),
    );
    expect(newestIds(all)).toEqual(youngest.map(({ id }) => `gh-deploy-${id}`));
  });

  test('have unique ids in order of creation across all repositories', () => {
    const byAge = made
      .flat()
      .sort((one, other) => (other.elapsed_minutes ?? 0) - (one.elapsed_minutes ?? 0) || one.id - other.id);
    expect(byAge.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });
});
