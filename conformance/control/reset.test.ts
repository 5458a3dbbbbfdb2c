import type { ControlStreamEvent } from '@shiplog/contract';
import { expect } from 'vitest';
import { eventsOf } from '../support/api.ts';
import { Control, typesOf } from '../support/control.ts';
import { expectRefusal } from '../support/refusals.ts';
import { bodyBytesMax, keyHeaders, nil, uuid7 } from '../support/specification.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const handOverMaxMs = 5000;
/** Settings for a reset that waits for a component. The component acks only if the test sends its ack. */
const patient = { ackTimeoutSeconds: 3600, expectedComponents: ['driver'] };

suiteOfOwnLogs('control: reset', (api, { testOwnInstance }) => {
  testOwnInstance('§4, reading 7.3: a reset is accepted with 202, its id, its state and its time', async () => {
    const control = await Control.onOwnLog(api, patient);
    const answer = await control.requestReset();
    expect(answer.status).toBe(202);
    expect(answer.json).toEqual({
      correlation_id: expect.stringMatching(uuid7),
      state: 'draining',
      accepted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    });
  });

  testOwnInstance('§3: while components drain, ingest is open and nothing is cleared', async () => {
    const control = await Control.onOwnLog(api, patient);
    const stream = await control.stream();
    await control.putCursor('a', { cursor: 'x' });
    const before = await api.append({}, {}, control.url);
    await control.startReset();
    await stream.take(1);
    const meanwhile = await api.append({}, {}, control.url);
    const { json } = await control.send({ path: '/api/deployments' });
    expect(json).toMatchObject({ items: expect.arrayContaining([before, meanwhile]) });
    expect((await control.cursor('a')).cursor).toBe('x');
    expect(stream.frames).toHaveLength(1);
  });

  testOwnInstance('§3, §7: a second reset gets 409 while components drain, and changes nothing', async () => {
    const control = await Control.onOwnLog(api, patient);
    const stream = await control.stream();
    const { correlation_id } = await control.startReset();
    for (let n = 0; n < 3; n += 1) expectRefusal(await control.requestReset(), 'reset-in-progress', 409);
    await control.ack('driver', correlation_id);
    const frames = eventsOf<ControlStreamEvent>(await stream.take(3));
    expect(typesOf(frames)).toEqual(['reset-initiated', 'reset-started', 'reset-completed']);
    expect(frames.map((frame) => frame.correlation_id)).toEqual([correlation_id, correlation_id, correlation_id]);
  });

  testOwnInstance('§7, reading 8.4: the refusal of a second reset is a problem whose type has a page', async () => {
    const control = await Control.onOwnLog(api, { ackTimeoutSeconds: 3600, expectedComponents: ['nobody'] });
    await control.startReset();
    const { type, title, ...rest } = expectRefusal(await control.requestReset(), 'reset-in-progress', 409);
    expect(Object.keys(rest).sort()).toEqual(['detail', 'instance', 'status']);
    expect(rest.instance).toBe('/api/control/reset');
    const page = await control.send({ path: new URL(type, 'http://x').pathname });
    expect(page.text).toContain(`<h1>${title}</h1>`);
  });

  testOwnInstance('reading 7.7: of concurrent resets, one is answered with 202 and the others with 409', async () => {
    const control = await Control.onOwnLog(api, patient);
    const other = await control.beside();
    const stream = await other.stream();
    const answers = await Promise.all([control, other, control, other, control].map((each) => each.requestReset()));
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409, 409, 409, 409]);
    const accepted = answers.find((answer) => answer.status === 202)?.json as { correlation_id: string };
    const [frame] = await stream.take(1);
    expect(frame?.id).toBe(accepted.correlation_id);
    expect(stream.frames).toHaveLength(1);
  });

  testOwnInstance('§3: after a reset is completed, the next one is accepted', async () => {
    const control = await Control.onOwnLog(api);
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      const stream = await control.stream();
      ids.push((await control.startReset()).correlation_id);
      await stream.take(3);
    }
    expect([...new Set(ids)].sort()).toEqual(ids);
  });

  testOwnInstance('reading 7.3: the body of a reset is ignored', async () => {
    const control = await Control.onOwnLog(api);
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '{"colour":"red"}',
      Buffer.from([0xff, 0x00]),
      'x'.repeat(bodyBytesMax),
    ]) {
      const stream = await control.stream();
      expect((await control.requestReset(body)).status).toBe(202);
      await stream.take(3);
      stream.close();
    }
  });

  testOwnInstance('reading 1.3: the query and other headers of a reset are ignored', async () => {
    const control = await Control.onOwnLog(api, patient);
    const headers = { [keyHeaders.control]: api.keys.control, 'X-Api-Key': 'wrong', 'X-Component-Id': 'BAD' };
    const path = '/api/control/reset?dry_run=1&dry_run=2&%zz';
    expect((await control.send({ method: 'POST', path, headers })).status).toBe(202);
  });

  testOwnInstance('§5, readings 1.4 and 1.5: a refused reset request resets nothing', async () => {
    const control = await Control.onOwnLog(api, patient);
    const stream = await control.stream();
    const path = '/api/control/reset';
    for (const headers of [{}, { [keyHeaders.control]: api.keys.api }, { [keyHeaders.api]: api.keys.control }]) {
      expectRefusal(await control.send({ method: 'POST', path, headers }), 'unauthorized');
    }
    const headers = { [keyHeaders.control]: api.keys.control };
    expectRefusal(await control.send({ method: 'PUT', path, headers }), 'method-not-allowed');
    expectRefusal(await control.send({ method: 'GET', path, headers }), 'method-not-allowed');
    expectRefusal(await control.requestReset('x'.repeat(bodyBytesMax + 1)), 'payload-too-large');
    const { correlation_id } = await control.startReset();
    await stream.take(1);
    expect(stream.ids).toEqual([correlation_id]);
  });

  testOwnInstance(
    'reading 2.1: during a key rotation, both control keys can start a reset, but the ingest keys cannot',
    async () => {
      const keys = { api: [api.keys.api, 'next-api'], control: [api.keys.control, 'next-control'] };
      const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
      const { url } = await api.instance({ ownLog: true, config: { keys, reset } });
      const stream = await api.openStream('/api/control/stream', { [keyHeaders.control]: 'next-control' }, url);
      const statusWith = async (key: string) => {
        const headers = { [keyHeaders.control]: key };
        return (await api.send({ method: 'POST', path: '/api/control/reset', headers }, url)).status;
      };
      expect(await statusWith('next-control')).toBe(202);
      await stream.take(3);
      expect(await statusWith(api.keys.control)).toBe(202);
      await stream.take(6);
      expect(await statusWith('next-api')).toBe(401);
      expect(await statusWith(api.keys.api)).toBe(401);
    },
  );

  testOwnInstance('reading 7.7: when the instance that started a reset stops, another continues it', async () => {
    const control = await Control.onOwnLog(api, patient);
    const other = await control.beside();
    const { correlation_id } = await other.startReset();
    await other.stop();
    expectRefusal(await control.requestReset(), 'reset-in-progress', 409);
    const stream = await control.stream();
    await control.ack('driver', correlation_id);
    const ackedAt = performance.now();
    expect((await stream.take(3))[2]?.event).toBe('reset-completed');
    expect(performance.now() - ackedAt).toBeLessThan(handOverMaxMs);
  });

  testOwnInstance(
    'readings 7.4 and 7.7: a reset continues after a restart, and its timeout is measured from its acceptance',
    async () => {
      const first = await Control.onOwnLog(api, { expectedComponents: [] });
      const timed = await first.beside({ ackTimeoutSeconds: 1, expectedComponents: ['driver'] });
      const { accepted_at } = await timed.startReset();
      await timed.stop();
      const restarted = await first.beside({ ackTimeoutSeconds: 3600, expectedComponents: ['driver'] });
      const stream = await restarted.stream({}, { 'Last-Event-ID': nil });
      const [, started] = eventsOf<ControlStreamEvent>(await stream.take(3));
      const waitedMs = Date.parse(started?.occurred_at ?? '') - Date.parse(accepted_at);
      expect(waitedMs).toBeGreaterThanOrEqual(1000);
      expect(waitedMs).toBeLessThan(1000 + handOverMaxMs);
    },
  );
});
