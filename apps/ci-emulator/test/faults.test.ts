import { describe, expect, test } from 'vitest';
import { aRepo, aSeed, type TestEmulator, testEmulator, token } from './support/emulator.ts';

const list = '/repos/acme/shop/deployments';
const projectList = '/projects/7/deployments';

/** The response with its complete body, or the error that cut it off. */
async function outcome(emulator: TestEmulator, path = list): Promise<string | number> {
  return emulator.github(path).then(
    ({ status }) => status,
    (error: Error) => String((error.cause as { code?: string } | undefined)?.code ?? error.message),
  );
}

async function timed<Value>(work: Promise<Value>): Promise<readonly [Value, number]> {
  const begun = performance.now();
  return [await work, performance.now() - begun];
}

describe('§7: effects', () => {
  test('a status is sent once with its body and headers, and does not count against the quota', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { status: 503, body: '{"message":"down"}', headers: { 'retry-after': '7' } } });
    const { status, headers, body } = await emulator.github(list);
    expect([status, headers.get('retry-after'), body]).toEqual([503, '7', { message: 'down' }]);
    const after = await emulator.github(list);
    expect([after.status, after.headers.get('x-ratelimit-used')]).toEqual([200, '1']);
  });

  test.each(['github', 'gitlab'] as const)('a fault can send broken JSON with status 200 (%s)', async (tool) => {
    const emulator = await testEmulator();
    await emulator.fault({ match: { tool }, effect: { garbage: true } });
    const response = await fetch(`${emulator.url}${tool === 'github' ? list : `/api/v4${projectList}`}`);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow();
  });

  test('delay_ms answers later, and drip_ms byte by byte, both with the complete body', async () => {
    const emulator = await testEmulator();
    const plain = (await emulator.github<object[]>(`${list}/101`)).body;
    await emulator.fault({ effect: { delay_ms: 60 } });
    const [delayed, delayedMs] = await timed(emulator.github(`${list}/101`));
    expect(delayed.body).toEqual(plain);
    expect(delayedMs).toBeGreaterThanOrEqual(55);
    await emulator.fault({ effect: { drip_ms: 1 } });
    const dripping = await fetch(`${emulator.url}/rate_limit`);
    const chunks: number[] = [];
    for await (const chunk of dripping.body ?? []) chunks.push((chunk as Uint8Array).length);
    expect(chunks.length).toBeGreaterThan(10);
  });

  test.each([0, 5])('the connection breaks after %i bytes of the body', async (cut) => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { cut } });
    expect(await outcome(emulator)).not.toBe(200);
    expect(await outcome(emulator)).toBe(200);
  });

  test('a hanging request is never answered, and ends with the emulator', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { hang: true } });
    const signal = AbortSignal.timeout(80);
    const hanging = fetch(`${emulator.url}${list}`, { signal, headers: { authorization: `Bearer ${token}` } });
    await expect(hanging).rejects.toThrow(/abort|timeout/i);
    expect((await emulator.requests()).map(({ status, fault }) => [status, fault])).toEqual([[0, 'hang']]);
  });

  test('the effect `exhausted` refuses this request and later ones until the window ends', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { exhausted: true }, match: { tool: 'github' } });
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, headers } = await emulator.github(list);
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
    }
    await emulator.advance(3_600_000);
    expect((await emulator.github(list)).status).toBe(200);
    await emulator.fault({ effect: { exhausted: true }, match: { tool: 'gitlab' } });
    expect((await emulator.gitlab(projectList)).status).toBe(429);
  });

  test.each<[number | 'bare', string | null]>([
    [30, '30'],
    ['bare', null],
  ])('a refusal by the secondary limit is sent with or without Retry-After (%s)', async (secondary, retryAfter) => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { secondary } });
    const { status, headers, body } = await emulator.github<{ message: string }>(list);
    expect([status, headers.get('retry-after')]).toEqual([403, retryAfter]);
    expect(body.message).toContain('You have exceeded a secondary rate limit');
  });

  test('rate headers and validators can be omitted', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { no_rate_headers: true }, times: 3 });
    await emulator.fault({ effect: { no_etag: true } });
    const bare = [
      await emulator.github(list),
      await emulator.gitlab(projectList),
      await emulator.github('/rate_limit'),
    ];
    expect(bare.at(-1)?.body).toHaveProperty('rate.limit', 5000);
    for (const { headers } of bare)
      expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    const { headers } = await emulator.github(list);
    expect([headers.has('etag'), headers.has('x-ratelimit-limit')]).toEqual([false, true]);
  });

  test('§4.4: a bare 429 has no rate headers', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { bare_429: true }, times: 2 });
    for (const { status, headers } of [await emulator.gitlab(projectList), await emulator.github(list)]) {
      expect(status).toBe(429);
      expect([...headers.keys()].filter((name) => /ratelimit|retry/.test(name))).toEqual([]);
    }
  });

  test('with a lag, requests read an earlier state of the store', async () => {
    const emulator = await testEmulator();
    await emulator.advance(10_000);
    const { id } = await emulator.deploy();
    await emulator.move(101, { state: 'inactive' });
    const ids = async () => (await emulator.github<{ id: number }[]>(list)).body.map((row) => row.id);
    await emulator.fault({ effect: { lag_ms: 5000 }, times: 3 });
    expect(await ids()).toEqual([101]);
    const seen = await emulator.github<{ state: string }[]>(`${list}/101/statuses`);
    expect(seen.body.map(({ state }) => state)).toEqual(['success', 'in_progress', 'queued']);
    await emulator.advance(5000);
    expect(await ids()).toEqual([id, 101]);
  });

  test("a fault can change the order of a deployment's statuses", async () => {
    const statuses = Array.from({ length: 12 }, (_, index) => ({
      id: 2000 + index,
      state: 'queued' as const,
      elapsed_minutes: 20 - index,
    }));
    const [deployment] = aRepo().deployments;
    if (!deployment) throw new Error('the seed has a deployment');
    const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [{ ...deployment, statuses }] })] }));
    const ids = async () => (await emulator.github<{ id: number }[]>(`${list}/101/statuses`)).body.map(({ id }) => id);
    const inOrder = await ids();
    await emulator.fault({ effect: { shuffle: true } });
    const shuffled = await ids();
    expect(shuffled).not.toEqual(inOrder);
    expect(shuffled.toSorted()).toEqual(inOrder.toSorted());
  });

  test('a clock skew shifts Date and reset times', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { skew_ms: -120_000 } });
    const { headers } = await emulator.github(list);
    expect(headers.get('date')).toBe('Mon, 04 May 2026 08:58:00 GMT');
    expect(Number(headers.get('x-ratelimit-reset')) * 1000).toBe(Date.parse('2026-05-04T09:58:00Z'));
  });
});

describe('§7: a fault applies to matching requests', () => {
  test.each<[string, object, readonly number[]]>([
    ['once by default', {}, [500, 200, 200, 200]],
    ['as often as its limit allows', { times: 2 }, [500, 500, 200, 200]],
    ['from the nth request on', { match: { nth: 3 } }, [200, 200, 500, 200]],
    ['only of its tool', { match: { tool: 'gitlab' } }, [200, 200, 200, 200]],
    ['of a path that matches its glob', { match: { path: '/repos/*/*/deployments' }, times: 9 }, [500, 500, 500, 500]],
    ['not of a path with more segments', { match: { path: '/repos/*' }, times: 9 }, [200, 200, 200, 200]],
    ['below a path that ends in **', { match: { path: '/repos/**' }, times: 9 }, [500, 500, 500, 500]],
    ['only of its method', { match: { method: 'post' }, times: 9 }, [200, 200, 200, 200]],
    ['never if its probability is 0', { probability: 0, times: 9 }, [200, 200, 200, 200]],
    ['to any number of requests during its time', { for_ms: 1000 }, [500, 500, 500, 500]],
  ])('%s', async (_, rule, expected) => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { status: 500 }, ...rule });
    const found: (string | number)[] = [];
    for (const __ of expected) found.push(await outcome(emulator));
    expect(found).toEqual(expected);
  });

  test('a fault with a duration ends when the clock has passed it', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ preset: 'outage' });
    expect([await outcome(emulator), (await emulator.status()).faults]).toEqual([503, 1]);
    await emulator.advance(60_000);
    expect([await outcome(emulator), (await emulator.status()).faults]).toEqual([200, 0]);
  });

  test('the first matching rule applies, and the next when it is used up', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ effect: { status: 500 } });
    await emulator.fault({ effect: { status: 502 } });
    expect([await outcome(emulator), await outcome(emulator), await outcome(emulator)]).toEqual([500, 502, 200]);
  });

  test('faults with a probability use the seeded generator', async () => {
    const outcomes = async () => {
      const emulator = await testEmulator();
      await emulator.fault({ preset: 'flaky' });
      const found: (string | number)[] = [];
      for (let turn = 0; turn < 40; turn += 1) found.push(await outcome(emulator));
      return found;
    };
    const first = await outcomes();
    expect(new Set(first)).toEqual(new Set([200, 502]));
    expect(await outcomes()).toEqual(first);
  });

  test('rules can be listed, and removed one by one or all at once', async () => {
    const emulator = await testEmulator();
    for (const status of [500, 502, 503]) await emulator.fault({ effect: { status } });
    await outcome(emulator);
    const rules = async () =>
      (await emulator.send<{ items: { id: string; used: number }[] }>('/_ci/faults')).body.items;
    expect((await rules()).map(({ id, used }) => [id, used])).toEqual([
      ['1', 1],
      ['2', 0],
      ['3', 0],
    ]);
    expect((await emulator.post('/_ci/faults?id=2', undefined, 'DELETE')).status).toBe(200);
    expect((await rules()).map(({ id }) => id)).toEqual(['1', '3']);
    expect((await emulator.post('/_ci/faults?id=9', undefined, 'DELETE')).status).toBe(404);
    await emulator.post('/_ci/faults', undefined, 'DELETE');
    expect(await rules()).toEqual([]);
  });

  test.each<[object, string]>([
    [{}, '/effect'],
    [{ effect: {} }, '/effect'],
    [{ effect: { status: 500, hang: true } }, '/effect'],
    [{ effect: { garbage: true, body: 'x' } }, '/effect'],
    [{ preset: 'slow', effect: { hang: true } }, '/effect'],
    [{ preset: 'doom' }, '/preset'],
    [{ effect: { status: 200 } }, '/effect/status'],
    [{ effect: { explode: true } }, '/effect/explode'],
    [{ effect: { hang: true }, times: 0 }, '/times'],
  ])('refuses the fault rule %j, with the pointer %s', async (rule, pointer) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.post<{ errors: { pointer: string }[] }>('/_ci/faults', rule);
    expect([status, body.errors[0]?.pointer]).toEqual([422, pointer]);
  });
});
