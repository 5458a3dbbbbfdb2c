import type { BenchmarkGroup, BenchmarksReport } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { bodyOf } from '../support/api.ts';
import { suite } from '../support/suite.ts';

const path = '/api/analytics/benchmarks';

suite('analytics benchmarks', (api) => {
  const read = async () => bodyOf<BenchmarksReport>(await api.get(path));

  test('§13: there are benchmarks for 2022 to 2024, and 2022 has no elite cluster', async () => {
    const { years } = await read();
    expect(years.map(({ year }) => year)).toEqual([2022, 2023, 2024]);
    expect(years.map(({ groups }) => groups.elite === null)).toEqual([true, false, false]);
    expect(years.map(({ share }) => share.high)).toEqual([null, 0.31, 0.22]);
  });

  test('§13: bounds have the units of the KPIs', async () => {
    const { years } = await read();
    const group = (year: number, name: 'elite' | 'high' | 'medium' | 'low') =>
      years.find((one) => one.year === year)?.groups[name] as BenchmarkGroup;
    const bounds = ({ from, to }: { from: number | null; to: number | null }) => [from, to];
    expect(bounds(group(2024, 'high').deployment_frequency)).toEqual([1 / 7, 1]);
    expect(bounds(group(2024, 'elite').deployment_frequency)).toEqual([null, null]);
    expect(bounds(group(2023, 'elite').lead_time)).toEqual([0, 24]);
    expect(bounds(group(2022, 'medium').change_failure_rate)).toEqual([0.16, 0.3]);
    expect(bounds(group(2023, 'low').change_failure_rate)).toEqual([0.64, 0.64]);
    expect(bounds(group(2024, 'low').time_to_restore)).toEqual([10_080, 43_200]);
  });

  test('§13: the note states the limits of the clusters', async () => {
    const { note } = await read();
    expect(note).toMatch(
      /not a standard.*not in order.*2025.*failed deployments, not failed changes.*not at the commit/s,
    );
  });

  test('§1.1: the benchmarks have an ETag, and a request with it returns 304', async () => {
    const { headers } = await api.get(path);
    expect((await api.get(path, {}, { 'If-None-Match': headers.etag ?? '' })).status).toBe(304);
  });
});
