import type { DeploymentEvent, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type EventFields, unique } from '../support/api.ts';
import { Changes, OwnDay, type Row } from '../support/changes.ts';
import { allStatuses } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const release = (event: DeploymentEvent | undefined) => ({
  version: event?.version || null,
  sha: event?.sha || null,
  event_id: event?.id,
});

suite('questions: one change', (api) => {
  const changes = new Changes(api);
  /** Stores the rows of one deployment and reads its change. */
  const changeOf = async (rows: readonly Row[], fields: EventFields = {}) => {
    const day = new OwnDay(api);
    const stored = await day.store({ deployment_id: unique('deployment'), service: unique(), ...fields }, ...rows);
    return { change: await changes.readOne(day.range(0, 100)), stored };
  };

  test('§1.2: a change has exactly the members of the contract', async () => {
    const fields = { version: '1', sha: 'abc', actor: 'ann', run_url: 'https://ci/1', environment: 'prod' };
    const { change, stored } = await changeOf(
      [
        [10, 'in-progress'],
        [15, 'success'],
      ],
      fields,
    );
    const [first, last] = stored;
    expect(change).toEqual({
      deployment_id: first?.deployment_id,
      service: first?.service,
      environment: 'prod',
      state: 'success',
      version: '1',
      sha: 'abc',
      previous: null,
      rollback: false,
      actor: 'ann',
      run_url: 'https://ci/1',
      started_at: first?.happened_at,
      ended_at: last?.happened_at,
      minutes: 5,
      events: 2,
      event_id: last?.id,
    });
  });

  test('§1.1: one deployment in two services and two environments is four changes', async () => {
    const day = new OwnDay(api);
    const deployment_id = unique('deployment');
    const places = ['a', 'b'].flatMap((service) => ['dev', 'prod'].map((environment) => ({ service, environment })));
    for (const place of places) {
      await day.store({ deployment_id, ...place }, [10, 'in-progress'], [11, 'success']);
    }
    const { items, counts } = await changes.read(day.range(0, 30));
    expect(items.map(({ service, environment, events }) => ({ service, environment, events }))).toEqual(
      places.map((place) => ({ ...place, events: 2 })).reverse(),
    );
    expect(counts).toMatchObject({ changes: 4, services: 2 });
  });

  test.each(allStatuses)('§5.3: the state %s ends a change only if it is one of the four ends', async (status) => {
    const ends = (['success', 'failure', 'cancelled', 'rejected'] as Status[]).includes(status);
    const { change, stored } = await changeOf([
      [10, 'pending'],
      [12.5, status],
    ]);
    expect(change).toMatchObject({
      state: status,
      started_at: stored[0]?.happened_at,
      ended_at: ends ? stored[1]?.happened_at : null,
      minutes: ends ? 2.5 : null,
    });
  });

  test('§5.3: a later row of another kind reopens a change that had ended', async () => {
    const { change } = await changeOf([
      [10, 'failure'],
      [12, 'in-progress'],
    ]);
    expect(change).toMatchObject({ state: 'in-progress', ended_at: null, minutes: null });
  });

  test('§1.2: a single row that ends the change has an end and no minutes', async () => {
    const { change, stored } = await changeOf([[10, 'success']]);
    const at = stored[0]?.happened_at;
    expect(change).toMatchObject({ started_at: at, ended_at: at, minutes: null, events: 1 });
  });

  test('§5.3: two rows with equal times are 0 minutes apart, and the greater id is the last', async () => {
    const { change, stored } = await changeOf([
      [10, 'failure', { version: '1' }],
      [10, 'success', { version: '2' }],
    ]);
    expect(change).toMatchObject({ state: 'success', version: '2', minutes: 0, event_id: stored[1]?.id });
    const running = await changeOf([
      [10, 'success'],
      [10, 'in-progress'],
    ]);
    expect(running.change).toMatchObject({ state: 'in-progress', ended_at: null, minutes: null });
  });

  test.each([
    [10, 0, 11.5, 0, 1.5],
    [10, 0, 10, 1, 1 / 60_000_000],
    [10, 999_999, 17, 0, (7 * 60_000_000 - 999_999) / 60_000_000],
    [0, 0, 1 / 3, 0, 20 / 60],
    [0, 7, 1439, 123_457, (1439 * 60_000_000 + 123_450) / 60_000_000],
  ])('§5.12: minutes are exact: from %d min and %d µs to %d min and %d µs', async (at, micros, end, more, minutes) => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    const rows = [day.at(at, micros), day.at(end, more)].map((happened_at, index) => ({
      ...deployment,
      happened_at,
      status: index === 0 ? ('queued' as const) : ('success' as const),
    }));
    await api.appendAll(rows);
    const change = await changes.readOne(day.range(0, 1440));
    // Two ways to divide may differ in the last binary digit.
    expect(Math.abs((change.minutes ?? -1) - minutes)).toBeLessThanOrEqual(minutes * 1e-14);
  });

  test('§5.12: started_at and ended_at have the digits that the reporter sent', async () => {
    const day = new OwnDay(api);
    const date = day.at(0).slice(0, 10);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    await api.append({ ...deployment, status: 'queued', happened_at: `${date}T14:00:00.120+02:00` });
    await api.append({ ...deployment, happened_at: `${date}T12:05:00Z` });
    expect(await changes.readOne(day.range(0, 30))).toMatchObject({
      started_at: `${date}T12:00:00.120Z`,
      ended_at: `${date}T12:05:00Z`,
    });
  });

  test('§5.3: version, sha, actor and run_url come from the newest row with one; empty counts as absent', async () => {
    const { change } = await changeOf([
      [10, 'pending', { version: '1', sha: 'aaaa', actor: 'ann', run_url: 'https://ci/1' }],
      [11, 'queued', { version: '2', sha: '', actor: 'bob' }],
      [12, 'in-progress', { version: '', sha: 'bbbb', actor: '' }],
      [13, 'success', { version: '', sha: '' }],
    ]);
    expect(change).toMatchObject({ version: '2', sha: 'bbbb', actor: 'bob', run_url: 'https://ci/1' });
    const bare = await changeOf([[10, 'success', { version: '', sha: '', actor: '' }]]);
    expect(bare.change).toMatchObject({ version: null, sha: null, actor: null, run_url: null });
  });

  test('§5.3: first, last and newest are by happened_at, not by arrival', async () => {
    const { change, stored } = await changeOf([
      [20, 'success', { version: '2', actor: 'bob' }],
      [10, 'queued', { version: '1', actor: 'ann', sha: 'aaaa' }],
      [15, 'in-progress', { version: '3', sha: 'bbbb' }],
    ]);
    expect(change).toMatchObject({
      state: 'success',
      version: '2',
      sha: 'bbbb',
      actor: 'bob',
      minutes: 10,
      events: 3,
      event_id: stored[0]?.id,
      started_at: stored[1]?.happened_at,
    });
  });

  test('§5.3: rows before from and after to count too', async () => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    const stored = await day.store(deployment, [0, 'queued', { version: '1' }], [10, 'in-progress'], [20, 'failure']);
    expect(await changes.readOne(day.range(9, 11))).toMatchObject({
      state: 'failure',
      version: '1',
      started_at: stored[0]?.happened_at,
      ended_at: stored[2]?.happened_at,
      minutes: 20,
      events: 3,
      event_id: stored[2]?.id,
    });
  });

  test('§5.3: a late row changes a change that was read before', async () => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    await day.store(deployment, [10, 'in-progress'], [20, 'success']);
    expect(await changes.readOne(day.range(5, 30))).toMatchObject({ minutes: 10, events: 2, state: 'success' });
    await day.store(deployment, [0, 'queued', { actor: 'ann' }]);
    expect(await changes.readOne(day.range(5, 30))).toMatchObject({ minutes: 20, events: 3, actor: 'ann' });
    expect((await changes.read(day.range(0, 5))).items).toHaveLength(1);
    await day.store(deployment, [25, 'failure']);
    expect(await changes.readOne(day.range(5, 30))).toMatchObject({ minutes: 25, events: 4, state: 'failure' });
    expect((await changes.read(day.range(25, 30))).items).toHaveLength(1);
  });

  test("§1.2, §5.4: previous is the place's last success before the first row, wherever it is in the log", async () => {
    const day = new OwnDay(api);
    const place = { service: unique(), environment: 'prod' };
    const [old] = await day.store({ ...place, version: '1', sha: 'aaaa' }, [-500, 'success']);
    await day.store({ ...place, version: '2' }, [-400, 'failure'], [-300, 'cancelled']);
    await day.store({ ...place, environment: 'dev', version: '3' }, [-200, 'success']);
    await day.store({ ...place, service: unique(), version: '4' }, [-200, 'success']);
    const deployment = { ...place, deployment_id: unique('deployment'), version: '5' };
    await day.store(deployment, [10, 'in-progress'], [15, 'success'], [16, 'success']);
    // After the first row, so not before the change.
    await day.store({ ...place, version: '6' }, [12, 'success']);
    const query = { ...day.range(0, 30), environments: 'prod', services: place.service };
    const { items } = await changes.read(query);
    const own = items.find(({ deployment_id }) => deployment_id === deployment.deployment_id);
    expect(own?.previous).toEqual(release(old));
  });

  test('§5.4: at an equal time only a success with a smaller id is previous', async () => {
    const day = new OwnDay(api);
    const service = unique();
    const [one] = await day.store({ service, version: '1' }, [10, 'success']);
    const [two] = await day.store({ service, version: '2' }, [10, 'success']);
    const [three] = await day.store({ service, version: '3' }, [10, 'success']);
    const { items } = await changes.read(day.range(0, 30));
    expect(items.map(({ event_id, previous }) => ({ event_id, previous }))).toEqual([
      { event_id: three?.id, previous: release(two) },
      { event_id: two?.id, previous: release(one) },
      { event_id: one?.id, previous: null },
    ]);
  });

  test('§5.4: previous may have no release', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, version: '1' }, [0, 'success']);
    const [bare] = await day.store({ service, version: '', sha: '' }, [5, 'success']);
    await day.store({ service, version: '2' }, [10, 'success']);
    const change = await changes.readOne(day.range(9, 30));
    expect(change.previous).toEqual({ version: null, sha: null, event_id: bare?.id });
  });

  test('§5.4: a late success becomes previous', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, version: '2' }, [10, 'success']);
    expect((await changes.readOne(day.range(9, 30))).previous).toBeNull();
    const [late] = await day.store({ service, version: '1' }, [0, 'success']);
    expect((await changes.readOne(day.range(9, 30))).previous).toEqual(release(late));
  });

  test('§5.4: rollback depends on the whole log, however long ago', async () => {
    const day = new OwnDay(api);
    const service = unique();
    const isRollback = async () => (await changes.readOne(day.range(9, 30))).rollback;
    await day.store({ service, version: '2' }, [0, 'success']);
    await day.store({ service, version: '1' }, [10, 'success']);
    expect(await isRollback()).toBe(false);
    await day.store({ service, version: '1', environment: 'other' }, [-5000, 'success']);
    await day.store({ service, version: '1' }, [-5001, 'failure']);
    expect(await isRollback(), 'another place and a failure').toBe(false);
    await day.store({ service, version: '1' }, [-6000, 'success']);
    expect(await isRollback(), 'a late row long before').toBe(true);
    await day.store({ service, version: '1' }, [5, 'success']);
    expect(await isRollback(), 'the same release right before').toBe(false);
    await day.store({ service, version: '', sha: '' }, [6, 'success']);
    expect(await isRollback(), 'no release right before').toBe(false);
    await day.store({ service, version: '3' }, [7, 'success']);
    expect(await isRollback()).toBe(true);
  });

  test('§1.2: a change is a rollback if any of its success rows is one, even if it failed later', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, version: '1' }, [0, 'success']);
    await day.store({ service, version: '2' }, [1, 'success']);
    const deployment = { service, deployment_id: unique('deployment') };
    await day.store(deployment, [10, 'success', { version: '1' }], [11, 'failure', { version: '4' }]);
    expect(await changes.readOne(day.range(9, 30))).toMatchObject({ rollback: true, state: 'failure', version: '4' });
    const failed = { service, deployment_id: unique('deployment'), version: '2' };
    await day.store(failed, [40, 'in-progress'], [41, 'failure']);
    expect(await changes.readOne(day.range(39, 50)), 'without a success').toMatchObject({ rollback: false });
  });

  test('§1.2: a version never equals a sha, so returning to one is not a rollback', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, version: 'abcd' }, [0, 'success']);
    await day.store({ service, version: '2', sha: 'ffff' }, [1, 'success']);
    await day.store({ service, sha: 'abcd' }, [10, 'success']);
    expect((await changes.readOne(day.range(9, 11))).rollback).toBe(false);
    await day.store({ service, version: '', sha: 'ffff' }, [20, 'success']);
    expect((await changes.readOne(day.range(19, 21))).rollback, 'a sha that had a version').toBe(false);
    await day.store({ service, sha: 'abcd' }, [30, 'success']);
    expect((await changes.readOne(day.range(29, 31))).rollback).toBe(true);
  });
});
