import type { HoldRequest, OutageRequest } from '@shiplog/contract';
import { clientOf, sharedService, TestClock, until } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { ended, Run, type RunOptions } from './support/run.ts';

const empty = sharedService();
const hourMs = 3_600_000;
const after = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

/** A relay with these rules, which checks for news whenever `looked` or `came` lets time pass. */
async function watching(rules: string, options: RunOptions = {}) {
  const run = await Run.open({ serviceUrl: (await empty()).url, members: `rules: [${rules}], burst: 100`, ...options });
  const client = clientOf(run.serviceUrl);
  const clock = new TestClock();
  clock.advance(Date.now() - clock.now().getTime() + 60_000);
  let relay = await run.relay({ clock });
  const known = async () => {
    const { body } = await client.getFetcherState({ params: { adapter: 'relay-hook' } });
    return (JSON.parse(body.cursor) as { n?: string[] }).n;
  };
  await until(async () => (await known()) !== undefined);
  const saw = (isSo: () => boolean) =>
    until(async () => {
      clock.advance(10_000);
      return isSo();
    });
  const received = () => run.hook.received.map(({ body }) => JSON.parse(String(body)));
  return {
    run,
    client,
    received,
    kinds: () => received().map(({ type }) => type.replace('shiplog.', '')),
    hold: async (fields: Partial<HoldRequest> = {}) => {
      const common = {
        kind: 'freeze',
        services: ['*'],
        environments: ['prod*'],
        until: after(5),
        reason: 'Christmas',
      } as const;
      return (await client.makeHold({ body: { ...common, by: 'Ines', ...fields } as HoldRequest })).body;
    },
    outage: (fields: Partial<OutageRequest> = {}) =>
      client.appendOutage({
        body: {
          source: 'test',
          outage_id: 'INC-7',
          state: 'opened',
          happened_at: after(0),
          ...fields,
        } as OutageRequest,
      }),
    /** Lets time pass until the target has received this many messages. */
    came: (count: number) => saw(() => run.hook.received.length >= count),
    saw,
    /** Lets two checks pass. */
    looked: async () => {
      for (const _ of [1, 2]) {
        await clock.asleep(10_000);
        clock.advance(10_000);
      }
      await clock.asleep(10_000);
    },
    restart: async () => {
      await ended(relay, clock);
      relay = await run.relay({ clock });
    },
  };
}

describe('holds', () => {
  test('the start and end of a hold are news, and a restart repeats nothing', async () => {
    const { hold, client, came, kinds, received, looked, restart } = await watching(
      '{ when: [hold-begins, hold-ends] }',
    );
    const made = await hold();
    await came(1);
    await client.releaseHold({ params: { id: made.id } });
    await came(2);
    expect(kinds()).toEqual(['hold-begins', 'hold-ends']);
    expect(received()[0].data.hold).toMatchObject({ id: made.id, reason: 'Christmas' });
    const late = await hold({ from: after(1) });
    await restart();
    await looked();
    expect(kinds()).toHaveLength(2);
    await came(3);
    expect(received()[2]).toMatchObject({ type: 'shiplog.hold-begins', data: { hold: { id: late.id } } });
  });

  test('holds from before the first check are not news', async () => {
    const { url } = await empty();
    const body = { kind: 'bad', services: ['*'], environments: ['*'], version: '1', reason: 'old' } as const;
    await clientOf(url).makeHold({ body: { ...body, services: ['*'], environments: ['*'] } });
    const { hold, came, received } = await watching('{ when: hold-begins }', { serviceUrl: url });
    await hold({ reason: 'new' });
    await came(1);
    expect(received()[0].data.hold.reason).toBe('new');
  });

  test('a deployment that breaches a hold is news', async () => {
    const { run, hold, saw, looked, received } = await watching('{ when: breach, match: { environments: prod } }');
    const { id } = await hold({ environments: ['*'] });
    // Holds of other tests outlive the reset of the log.
    const own = () => received().filter(({ data }) => data.hold.id === id);
    await run.post({ service: 'pay', environment: 'staging', happened_at: after(0.01) });
    const event = await run.post({ service: 'pay', environment: 'prod', actor: 'ben', happened_at: after(0.01) });
    await saw(() => own().length > 0);
    await looked();
    expect(own()).toMatchObject([
      {
        type: 'shiplog.breach',
        data: { deployment: { id: event.id }, hold: { reason: 'Christmas' } },
      },
    ]);
  });
});

describe('outages', () => {
  test('an outage is reported with the suspected deployment, and again when it is resolved', async () => {
    const { run, outage, came, received } = await watching('{ when: [outage-opened, outage-resolved] }');
    const event = await run.post({ service: 'pay', environment: 'production', version: '1.4.2', actor: 'ben' });
    await outage({ services: ['pay'], environments: ['production'], title: 'Payments fail', happened_at: after(0.01) });
    await came(1);
    expect(received()[0]).toMatchObject({
      type: 'shiplog.outage-opened',
      data: { outage: { title: 'Payments fail', links: [{ rule: 'suspected' }] }, deployment: { id: event.id } },
    });
    await outage({ state: 'resolved', happened_at: after(0.02) });
    await came(2);
    expect(received()[1]).toMatchObject({ type: 'shiplog.outage-resolved', data: { outage: { state: 'resolved' } } });
  });

  test('rules choose by service, environment and stage; an outage without an environment is in production', async () => {
    const rules = [
      '{ when: outage-opened, match: { services: "pay-*", environments: staging } }',
      '{ when: outage-opened, match: { services: web, environments: "stage:prod" } }',
    ];
    const { run, outage, came, received, looked } = await watching(rules.join(', '));
    for (const environment of ['staging', 'prod']) await run.post({ service: 'web', environment });
    const open = (outage_id: string, services: string[], environments?: string[]) =>
      outage({ outage_id, services, ...(environments && { environments }) });
    await open('1', ['pay-api'], ['staging']);
    await open('2', ['pay-api'], ['prod']);
    await open('3', ['api', 'web']);
    await open('4', ['web'], ['staging']);
    await open('5', ['pay-api', 'x'], ['dev', 'staging']);
    await outage({ outage_id: '6', services: ['web'], state: 'dismissed' });
    await came(3);
    await looked();
    expect(
      received()
        .map(({ data }) => data.outage.outage_id)
        .sort(),
    ).toEqual(['1', '3', '5']);
  });

  test('an outage that opened longer ago than max_age is not reported', async () => {
    const { outage, came, received } = await watching('{ when: outage-opened }');
    await outage({ outage_id: 'old', happened_at: after(-7) });
    await outage({ outage_id: 'new' });
    await came(1);
    expect(received().map(({ data }) => data.outage.outage_id)).toEqual(['new']);
  });
});
