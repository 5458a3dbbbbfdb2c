import type { ControlStreamEvent, DeploymentEvent, DeploymentEventPage } from '@shiplog/contract';
import type { Answer } from '@shiplog/testing';
import { expect } from 'vitest';
import { type Api, eventsOf, freshEvent } from '../support/api.ts';
import { Control, holdLog, typesOf } from '../support/control.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const retryAfterMax = 5;

function expectGate(answer: Answer): void {
  expectRefusal(answer, 'reset-in-progress');
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(retryAfterMax);
}

/** Starts a reset of a separate log and keeps the reset gate closed until the lock is released. */
async function closedGate(api: Api, { gateMaxTtlSeconds = 60 } = {}) {
  const control = await Control.onOwnLog(api, { gateMaxTtlSeconds });
  const stored = await api.append({}, {}, control.url);
  await control.putCursor('a', { cursor: 'before' });
  const lock = await holdLog(control.databaseUrl);
  const stream = await control.stream();
  const { correlation_id } = await control.startReset();
  await stream.take(2);
  const frames = async (count: number) => eventsOf<ControlStreamEvent>(await stream.take(count));
  const ingest = (body: unknown = freshEvent(), headers = {}) => api.ingest(body, headers, control.url);
  return { control, stored, lock, frames, ingest, correlationId: correlation_id };
}

suiteOfOwnLogs('control: the gate of a reset', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§3, §7, reading 7.4: ingest returns 503 with a short Retry-After while the log is being cleared',
    async () => {
      const { ingest, lock, frames } = await closedGate(api);
      const full = { ...freshEvent(), actor: 'alice' };
      for (const answer of await Promise.all([ingest(), ingest(full, { 'X-Progress-Reporter': 'a/b' })]))
        expectGate(answer);
      await lock.query('commit');
      expect(typesOf(await frames(3))).toEqual(['reset-initiated', 'reset-started', 'reset-completed']);
      expect((await ingest()).status).toBe(201);
    },
  );

  testOwnInstance('§1 rule 7: the reset gate closes on every instance', async () => {
    const { control, ingest, lock, frames } = await closedGate(api);
    const other = await control.beside();
    const answers = await Promise.all([ingest(), api.ingest(freshEvent(), {}, other.url), ingest()]);
    for (const answer of answers) expectGate(answer);
    for (const each of [control, other]) expectRefusal(await each.requestReset(), 'reset-in-progress', 409);
    await lock.query('commit');
    await frames(3);
    expect((await api.ingest(freshEvent(), {}, other.url)).status).toBe(201);
  });

  testOwnInstance('reading 1.4: 401, 413 and 422 are checked before the reset gate', async () => {
    const { ingest } = await closedGate(api);
    expectRefusal(await ingest(freshEvent(), { 'X-Api-Key': 'wrong' }), 'unauthorized');
    expectRefusal(await ingest('x'.repeat(300_000)), 'payload-too-large');
    expectFaults(await ingest({ ...freshEvent(), colour: 'red' }), ['/colour']);
  });

  testOwnInstance('§3: a second reset gets 409 while the log is being cleared', async () => {
    const { control, lock, frames } = await closedGate(api);
    expectRefusal(await control.requestReset(), 'reset-in-progress', 409);
    await lock.query('commit');
    expect(await frames(3)).toHaveLength(3);
    expect((await control.requestReset()).status).toBe(202);
    expect((await frames(6)).at(-1)?.type).toBe('reset-completed');
  });

  testOwnInstance('§4: components can report, and reports are listed, while the gate is closed', async () => {
    const { control, correlationId } = await closedGate(api);
    const stream = await control.componentStream();
    const record = await control.record({ state: 'paused' }, { 'X-Correlation-Id': correlationId });
    expect(eventsOf(await stream.take(1))).toEqual([record]);
    expect((await control.list({ correlation_id: correlationId })).items).toEqual([record]);
  });

  testOwnInstance('reading 7.5: reads return everything until the log is cleared, and nothing after it', async () => {
    const { control, stored, lock, frames } = await closedGate(api);
    const list = () => control.send({ path: '/api/deployments' });
    const [listed, cursor] = await Promise.all([list(), control.cursor('a')]);
    expect(listed.json).toEqual({ items: [stored], next_cursor: null });
    expect(cursor.cursor).toBe('before');
    await lock.query('commit');
    await frames(3);
    expect((await list()).json).toEqual({ items: [], next_cursor: null });
    expectRefusal(await control.getCursor('a'), 'not-found');
  });

  testOwnInstance(
    '§3, reading 7.5: after its timeout the gate opens, nothing is cleared, and reset-aborted is sent',
    async () => {
      const { control, stored, lock, frames, ingest, correlationId } = await closedGate(api, { gateMaxTtlSeconds: 1 });
      const all = await frames(3);
      expect(typesOf(all)).toEqual(['reset-initiated', 'reset-started', 'reset-aborted']);
      expect(all[2]).toMatchObject({ component: '*', correlation_id: correlationId });
      // On a busy machine, the timeout may start well before reset-started is sent.
      const [initiated, , aborted] = all.map((frame) => Date.parse(frame.occurred_at));
      expect((aborted ?? 0) - (initiated ?? 0)).toBeGreaterThanOrEqual(1000);
      await lock.query('commit');
      const posted = await ingest();
      expect(posted.status).toBe(201);
      const { items } = (await control.send({ path: '/api/deployments' })).json as DeploymentEventPage;
      expect(items).toEqual([posted.json, stored]);
      expect((await control.cursor('a')).cursor).toBe('before');
      // On a busy machine, one second may be too short to clear the log, so the next reset has more time.
      const next = await control.beside({ gateMaxTtlSeconds: 60 });
      await control.stop();
      const again = await next.reset();
      expect(typesOf(again)).toEqual(['reset-initiated', 'reset-started', 'reset-completed']);
      expect(again.map((frame) => frame.correlation_id)).toEqual(again.map(() => again[0]?.id));
    },
  );

  testOwnInstance('reading 7.6: a post that overlaps a reset is cleared, refused, or stored after it', async () => {
    const control = await Control.onOwnLog(api);
    const other = await control.beside();
    const frames = await control.stream();
    const answered: DeploymentEvent[] = [];
    const surely: DeploymentEvent[] = [];
    let resetsDone = 0;
    let writing = true;
    const writers = [control, other, control, other].map(async ({ url }) => {
      while (writing) {
        const begunAfter = resetsDone;
        const answer = await api.ingest(freshEvent(), {}, url);
        if (answer.status === 503) expectGate(answer);
        else {
          expect(answer.status).toBe(201);
          answered.push(answer.json as DeploymentEvent);
          if (begunAfter === 3) surely.push(answer.json as DeploymentEvent);
        }
      }
    });
    for (let round = 1; round <= 3; round += 1) {
      const before = answered.length;
      while (answered.length < before + 20) await control.send({ path: '/healthz' });
      await control.startReset();
      await frames.take(3 * round);
      resetsDone = round;
    }
    while (surely.length < 20) await control.send({ path: '/healthz' });
    writing = false;
    await Promise.all(writers);
    const { items } = (await control.send({ path: '/api/deployments?limit=500' })).json as DeploymentEventPage;
    const kept = items.map((item) => item.id).sort();
    // The log contains exactly the last acknowledged posts, because a reset removes all earlier events and no later
    // ones.
    expect(kept).toEqual(
      answered
        .map((event) => event.id)
        .sort()
        .slice(-kept.length),
    );
    for (const event of surely) expect(kept).toContain(event.id);
  });
});
