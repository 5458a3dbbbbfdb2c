import { systemClock } from '@shiplog/client';
import { anEvent, answers, postStored, ScriptedServer, sharedService } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { checkComponents } from '../src/doctor/check-components.ts';
import { checkQuality } from '../src/doctor/check-quality.ts';
import { found, problem } from './support/doctor.ts';

describe('the quality check of doctor', () => {
  const empty = sharedService();

  test('doctor lists the first findings of each kind and the number of others', async () => {
    const { url } = await empty();
    for (const n of ['a', 'b', 'c', 'd', 'e']) {
      const happened_at = new Date(Date.now() + 3_600_000).toISOString();
      await postStored(url, anEvent({ service: `pay-${n}`, happened_at }));
    }
    const told = await found(url, checkQuality);
    expect(told).toHaveLength(4);
    expect(told[0]).toMatch(/^note: future, pay-. in staging: .+\.$/);
    expect(told[3]).toBe('note: future: 2 more; see shiplog quality --kind future.');
  });

  test('doctor omits history that a new reporter backfilled, and counts the other findings', async () => {
    const late = { kind: 'late', environment: 'prod', event_id: null, detail: 'Look.' };
    const only = { ...late, service: 'web', count: 4, before_reporter: 4 };
    const report = { generated_at: '2026-05-04T09:00:00Z', emitters: [], next_cursor: null };
    const server = await ScriptedServer.open(
      answers(200, JSON.stringify({ ...report, findings: [only], counts: { late: 1 }, late_before_reporters: 1 })),
      answers(
        200,
        JSON.stringify({
          ...report,
          findings: [{ ...late, service: 'pay', count: 5, before_reporter: 3 }, only],
          counts: { late: 2 },
          late_before_reporters: 1,
        }),
      ),
    );
    expect(await found(server.url, checkQuality)).toEqual(['ok: No data quality findings.']);
    expect(await found(server.url, checkQuality)).toEqual(['note: late, pay in prod: Look.']);
  });

  test('doctor prints a note for a service without a quality report', async () => {
    const { url } = await ScriptedServer.open(problem(404));
    expect(await found(url, checkQuality)).toEqual([expect.stringMatching(/^note: .*has no data quality report/)]);
  });
});

describe("doctor's component check", () => {
  const report = { component_id: 'relay', event_type: 'status', state: 'running', received_at: '2026-05-04T09:00:00Z' };
  const at = (seconds: number) => ({
    ...systemClock,
    now: () => new Date(Date.parse(report.received_at) + seconds * 1000),
  });

  test.each<[string, object, number, string]>([
    ['runs', {}, 90, 'ok: relay is running.'],
    ['is silent', {}, 91, 'note: relay last reported 91 s ago (running). --expect makes this a fault.'],
    ['fails', { state: 'error', detail: 'no token' }, 1, 'fault: relay reports an error: no token. Check its log.'],
  ])('doctor reports a component that %s', async (_what, members, seconds, text) => {
    const items = [{ ...report, ...members }];
    const server = await ScriptedServer.open(answers(200, JSON.stringify({ items, next_cursor: null })));
    expect(await found(server.url, checkComponents([]), { clock: at(seconds) })).toEqual([text]);
    expect(await found(server.url, checkComponents(['relay']), { clock: at(91) })).toEqual([
      'fault: relay has not reported for 91 s. Start it, or check its log.',
    ]);
    expect(await found(server.url, checkComponents(['fetcher']), { clock: at(1) })).toContain(
      'fault: fetcher has not reported in the last two hours. Start it, or check its id.',
    );
  });

  test('doctor prints a note if no component reports', async () => {
    const server = await ScriptedServer.open(answers(200, '{"items":[],"next_cursor":null}'));
    expect(await found(server.url, checkComponents([]))).toEqual([
      'note: No component has reported in the last two hours.',
    ]);
  });
});
