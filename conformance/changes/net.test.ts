import type { DeploymentEvent, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type EventFields, unique } from '../support/api.ts';
import { Changes, hence, OwnDay } from '../support/changes.ts';
import { suite } from '../support/suite.ts';

const release = (event: DeploymentEvent | undefined) =>
  event ? { version: event.version || null, sha: event.sha || null, event_id: event.id } : null;

const v1: EventFields = { version: '1' };
const v2: EventFields = { version: '2' };
const none: EventFields = { version: '', sha: '' };

suite('questions: net changes', (api) => {
  const changes = new Changes(api);
  /** The only place of the range from minute 10 to 30. */
  const onePlace = async (day: OwnDay) => {
    const { items } = await changes.readNet(day.range(10, 30));
    expect(items).toHaveLength(1);
    return items[0];
  };

  test('§1.5: an item has exactly the members of the contract', async () => {
    const day = new OwnDay(api);
    const place = { service: unique(), environment: 'prod' };
    const [before] = await day.store({ ...place, version: '1', sha: 'aaaa' }, [0, 'success']);
    await day.store(place, [11, 'failure']);
    await day.store({ ...place, sha: 'bbbb' }, [12, 'success']);
    const [after] = await day.store({ ...place, version: '3' }, [13, 'success']);
    await day.store(place, [14, 'in-progress']);
    expect(await onePlace(day)).toEqual({
      ...place,
      before: release(before),
      after: release(after),
      changed: true,
      changes: 4,
      failed: 1,
    });
  });

  test('§5.10: before is strictly before from, and after strictly before to; rows after to do not count', async () => {
    const day = new OwnDay(api);
    const service = unique();
    const [a] = await day.store({ service, ...v1 }, [9, 'success']);
    const [atFrom] = await day.store({ service, ...v2 }, [10, 'success']);
    const [atTo] = await day.store({ service, version: '3' }, [30, 'success']);
    expect(await onePlace(day)).toMatchObject({ before: release(a), after: release(atFrom), changes: 1 });
    const wider = await changes.readNet({ from: day.at(10, 1), to: day.at(30, 1) });
    expect(wider.items).toMatchObject([{ before: release(atFrom), after: release(atTo), changes: 1 }]);
  });

  test('§5.10: of two successes with equal times, the one with the greater id is the last', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, ...v2 }, [5, 'success']);
    const [before] = await day.store({ service, ...v1 }, [5, 'success']);
    await day.store({ service, ...v1 }, [20, 'success']);
    const [after] = await day.store({ service, ...v2 }, [20, 'success']);
    expect(await onePlace(day)).toMatchObject({ before: release(before), after: release(after), changed: true });
  });

  test.each<[string, EventFields | null, EventFields | null, boolean]>([
    ['both null', null, null, false],
    ['before null', null, v1, true],
    ['before null, after without release', null, none, true],
    ['one version', v1, v1, false],
    ['two versions', v1, v2, true],
    ['one version with two shas', { ...v1, sha: 'aaaa' }, { ...v1, sha: 'bbbb' }, false],
    ['two versions of one sha', { ...v1, sha: 'aaaa' }, { ...v2, sha: 'aaaa' }, true],
    ['one sha', { sha: 'aaaa' }, { sha: 'aaaa' }, false],
    ['one sha with an empty version', { version: '', sha: 'aaaa' }, { sha: 'aaaa' }, false],
    ['two shas', { sha: 'aaaa' }, { sha: 'bbbb' }, true],
    ['a version and an equal sha', { version: 'aaaa' }, { sha: 'aaaa' }, true],
    ['a version with a sha, and this sha alone', { version: '1', sha: 'aaaa' }, { sha: 'aaaa' }, true],
    ['no release before', none, v1, true],
    ['no release after', v1, none, true],
    ['no release on both sides', none, none, true],
    ['letter case', { version: 'a' }, { version: 'A' }, true],
  ])('§5.10: changed with different deployments: %s', async (_, before, after, changed) => {
    const day = new OwnDay(api);
    const service = unique();
    const [one] = before ? await day.store({ service, ...before }, [5, 'success']) : [];
    const [other] = after ? await day.store({ service, ...after }, [20, 'success']) : [];
    // The place is listed even without a success.
    await day.store({ service, version: '9' }, [21, 'failure']);
    expect(await onePlace(day)).toMatchObject({ before: release(one), after: release(other), changed });
  });

  test.each<[string, EventFields, EventFields, boolean]>([
    ['no release on both sides', none, none, false],
    ['no release before', none, v1, false],
    ['no release after', v1, none, false],
    ['two versions', v1, v2, true],
  ])('§5.10: changed with two successes of one deployment: %s', async (_, before, after, changed) => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    const [one, other] = await day.store(deployment, [5, 'success', before], [20, 'success', after]);
    expect(await onePlace(day)).toMatchObject({ before: release(one), after: release(other), changed });
  });

  test('§5.10: with no success in the range, before and after are one row, even without a release', async () => {
    for (const fields of [v1, none]) {
      const day = new OwnDay(api);
      const service = unique();
      const [before] = await day.store({ service, ...fields }, [5, 'success']);
      await day.store({ service, ...v2 }, [20, 'failure']);
      const expected = { before: release(before), after: release(before), changed: false, changes: 1, failed: 1 };
      expect(await onePlace(day)).toMatchObject(expected);
    }
  });

  test('§5.10: a restored release is not a change', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, ...v1 }, [5, 'success']);
    await day.store({ service, ...v2 }, [11, 'success']);
    await day.store({ service, ...v1 }, [12, 'success']);
    expect(await onePlace(day)).toMatchObject({ changed: false, changes: 2 });
  });

  test('§1.5: failed depends on the state of the change, including rows after to', async () => {
    const day = new OwnDay(api);
    const service = unique();
    const deployment = () => ({ service, deployment_id: unique('deployment') });
    await day.store(deployment(), [11, 'failure'], [40, 'success', v1]);
    await day.store(deployment(), [12, 'in-progress'], [41, 'failure']);
    await day.store(deployment(), [0, 'failure'], [13, 'cancelled']);
    await day.store(deployment(), [0, 'in-progress'], [50, 'failure']);
    await day.store(deployment(), [0, 'failure']);
    expect(await onePlace(day)).toMatchObject({ before: null, after: null, changes: 4, failed: 2 });
  });

  test('§5.10: a place without a change in the range is not listed', async () => {
    const day = new OwnDay(api);
    await day.store({ service: unique() }, [0, 'success']);
    await day.store({ service: unique() }, [40, 'success']);
    expect((await changes.readNet(day.range(10, 30))).items).toEqual([]);
  });

  test('§5.10: a place is listed for a change ahead of the clock too', async () => {
    const service = unique();
    const last = await api.append({ service, ...v1, happened_at: hence(60) });
    const { items } = await changes.readNet({ services: service, from: hence(-60), to: hence(100) });
    expect(items).toMatchObject([{ before: null, after: release(last), changed: true, changes: 1, failed: 0 }]);
  });

  test('§1.5, §5.10: places that changed come first, then service and environment by code point; pages are contiguous', async () => {
    const day = new OwnDay(api);
    const names = ['a', 'B', 'a-b', 'a_b', 'aB', 'é', 'z', '｡', '\u{1f6a2}', 'a b'];
    for (const service of names) {
      for (const environment of ['prod', 'Prod', '\u{1f6a2}', '｡']) {
        const status: Status = environment === 'prod' ? 'success' : 'failure';
        await day.store({ service, environment }, [11, status]);
      }
    }
    const byCodePoint = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
    const services = names.toSorted(byCodePoint);
    const expected = [
      ...services.map((service) => [true, service, 'prod']),
      ...services.flatMap((service) => ['Prod', '｡', '\u{1f6a2}'].map((environment) => [false, service, environment])),
    ];
    for (const limit of [1, 7, 100]) {
      const pages: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await changes.readNet({ ...day.range(10, 30), limit, ...(cursor && { cursor }) });
        pages.push(...page.items.map(({ changed, service, environment }) => [changed, service, environment]));
        cursor = page.next_cursor;
      }
      expect(pages).toEqual(expected);
    }
  });

  test('§5.9: a scope restricts the places; a glob of one place does not alter its numbers', async () => {
    const day = new OwnDay(api);
    const service = unique();
    for (const environment of ['dev', 'prod']) await day.store({ service, environment }, [11, 'failure']);
    const all = await changes.readNet(day.range(10, 30));
    const prod = await changes.readNet({ ...day.range(10, 30), environments: 'prod' });
    expect(prod.items).toEqual(all.items.filter(({ environment }) => environment === 'prod'));
    expect(prod.counts).toMatchObject({ changes: 1, elsewhere: 1 });
  });

  test('§5.3: late rows change before and after', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, ...v2 }, [20, 'success']);
    expect(await onePlace(day)).toMatchObject({ before: null, changed: true });
    const [late] = await day.store({ service, ...v2 }, [0, 'success']);
    expect(await onePlace(day)).toMatchObject({ before: release(late), changed: false });
    const [between] = await day.store({ service, ...v1 }, [5, 'success']);
    expect(await onePlace(day)).toMatchObject({ before: release(between), changed: true });
  });
});
