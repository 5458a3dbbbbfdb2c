import { expect, test } from 'vitest';
import { freshEvent, unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

/** Times as posted and as returned: in UTC, with at most six fraction digits. */
const taken: readonly (readonly [written: string, comesBack: string])[] = [
  ['2026-05-04T09:12:02Z', '2026-05-04T09:12:02Z'],
  ['2026-05-04t09:12:02z', '2026-05-04T09:12:02Z'],
  ['2026-05-04T09:12:02.0Z', '2026-05-04T09:12:02.0Z'],
  ['2026-05-04T09:12:02.120Z', '2026-05-04T09:12:02.120Z'],
  ['2026-05-04T09:12:02.123456789Z', '2026-05-04T09:12:02.123456Z'],
  ['2026-05-04T09:12:02.9999999Z', '2026-05-04T09:12:02.999999Z'],
  ['2026-05-04T09:12:02.000000000000000000000000000001Z', '2026-05-04T09:12:02.000000Z'],
  ['2026-05-04T09:12:02+00:00', '2026-05-04T09:12:02Z'],
  ['2026-05-04T09:12:02-00:00', '2026-05-04T09:12:02Z'],
  ['2026-05-04T09:12:02+02:00', '2026-05-04T07:12:02Z'],
  ['2026-05-04T09:12:02.50+05:30', '2026-05-04T03:42:02.50Z'],
  ['2026-05-04T00:12:02+23:59', '2026-05-03T00:13:02Z'],
  ['2026-05-04T23:12:02-23:59', '2026-05-05T23:11:02Z'],
  ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00Z'],
  ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
  ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00Z'],
  ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00Z'],
  ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
  // A leap second counts as the next second, whatever the offset.
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['2016-12-31T23:59:60.250Z', '2017-01-01T00:00:00.250Z'],
  ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00Z'],
  ['2016-12-31T15:59:60-08:00', '2017-01-01T00:00:00Z'],
  ['2026-05-04T23:59:60Z', '2026-05-05T00:00:00Z'],
  // The first and the last valid time.
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['0001-01-01T23:59:00+23:59', '0001-01-01T00:00:00Z'],
  ['0099-06-15T12:00:00Z', '0099-06-15T12:00:00Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999Z'],
  ['9999-12-31T00:00:59-23:59', '9999-12-31T23:59:59Z'],
];

const refused: readonly string[] = [
  '',
  'now',
  '1777885922',
  '2026-05-04',
  '2026-05-04T09:12:02',
  '2026-05-04T09:12Z',
  '2026-05-04 09:12:02Z',
  '2026-05-04_09:12:02Z',
  '20260504T091202Z',
  '2026-5-4T9:12:02Z',
  '26-05-04T09:12:02Z',
  '+002026-05-04T09:12:02Z',
  '12026-05-04T09:12:02Z',
  '-2026-05-04T09:12:02Z',
  '2026-W19-1T09:12:02Z',
  '2026-124T09:12:02Z',
  '2026-05-04T09:12:02.Z',
  '2026-05-04T09:12:02,5Z',
  '2026-05-04T09:12:02.5.5Z',
  '2026-05-04T09:12:02+02',
  '2026-05-04T09:12:02+0200',
  '2026-05-04T09:12:02+2:00',
  '2026-05-04T09:12:02 +02:00',
  '2026-05-04T09:12:02Z+02:00',
  '2026-05-04T09:12:02\u221202:00',
  '2026-05-04T09:12:02+24:00',
  '2026-05-04T09:12:02-23:60',
  '2026-05-04T09:12:02UTC',
  '2026-05-04T09:12:02Z[UTC]',
  ' 2026-05-04T09:12:02Z',
  '2026-05-04T09:12:02Z ',
  '2026-05-04T09:12:02Z\n',
  '２０２６-05-04T09:12:02Z',
  '2026-00-04T09:12:02Z',
  '2026-13-04T09:12:02Z',
  '2026-05-00T09:12:02Z',
  '2026-05-32T09:12:02Z',
  '2026-04-31T09:12:02Z',
  '2026-02-30T09:12:02Z',
  '2026-02-29T09:12:02Z',
  '2100-02-29T09:12:02Z',
  '1900-02-29T09:12:02Z',
  '2026-05-04T24:00:00Z',
  '2026-05-04T09:60:02Z',
  '2026-05-04T09:12:60Z',
  '2026-05-04T09:12:61Z',
  '2016-12-31T23:59:61Z',
  '2016-12-31T23:58:60Z',
  '2016-12-31T23:59:60+01:00',
  '2017-01-01T00:59:60Z',
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59-00:01',
  '0001-01-01T00:00:00+00:01',
  '0001-01-01T23:58:59+23:59',
  '9999-12-31T23:59:60Z',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T00:01:00-23:59',
  'infinity',
  '-infinity',
  'epoch',
  '2026-05-04T09:12:02 BC',
];

suite('instants', (api) => {
  test.each(taken)('readings 1.7 and 3.3: happened_at %s is returned as %s', async (written, comesBack) => {
    const event = await api.append({ happened_at: written });
    expect(event.happened_at).toBe(comesBack);
    expect((await api.get(`/api/deployments/${event.id}`)).json).toEqual(event);
  });

  test.each(refused)('reading 1.7: happened_at %j is rejected', async (happened_at) => {
    expectFaults(await api.ingest({ ...freshEvent(), happened_at }), ['/happened_at']);
  });

  test.each(taken)('reading 1.7: since and until accept the format of %s', async (written) => {
    const service = unique();
    const { id } = await api.append({ service, happened_at: written });
    const idsWith = async (query: Record<string, string>) => {
      const { items } = await api.list({ service, ...query });
      return items.map((item) => item.id);
    };
    expect(await idsWith({ since: written })).toEqual([id]);
    expect(await idsWith({ until: written })).toEqual([]);
  });

  test.each(refused)('reading 1.7: since and until %j are rejected', async (instant) => {
    for (const name of ['since', 'until']) {
      expectFaults(await api.get('/api/deployments', { [name]: instant }), [`/${name}`]);
    }
  });

  test('reading 3.3: an offset does not change the order', async () => {
    const service = unique();
    const written = ['2026-05-04T09:00:00+02:00', '2026-05-04T08:00:00Z', '2026-05-04T05:00:00-04:00'];
    for (const happened_at of written) await api.append({ service, happened_at });
    const { items } = await api.list({ service });
    expect(items.map((item) => item.happened_at)).toEqual([
      '2026-05-04T09:00:00Z',
      '2026-05-04T08:00:00Z',
      '2026-05-04T07:00:00Z',
    ]);
  });

  test('reading 3.3: events are ordered by microseconds', async () => {
    const service = unique();
    const fractions = ['.000001', '.000003', '.0', '', '.000002', '.0000029'];
    const stored = await api.appendAll(
      fractions.map((fraction) => ({ service, happened_at: `2026-05-04T09:00:00${fraction}Z` })),
    );
    const order = [1, 5, 4, 0, 3, 2].map((index) => stored[index]?.happened_at);
    expect((await api.list({ service })).items.map((item) => item.happened_at)).toEqual(order);
  });

  test.each([
    ['.0000019', '.000001'],
    ['.0000010', '.0000019999999'],
    ['.9999999', '.999999'],
    ['.5', '.500000'],
  ])('reading 3.3: %s and %s are the same microsecond, so the later id comes first', async (one, other) => {
    for (const fractions of [
      [one, other],
      [other, one],
    ]) {
      const service = unique();
      const stored = await api.appendAll(
        fractions.map((fraction) => ({ service, happened_at: `2026-05-04T09:00:00${fraction}Z` })),
      );
      expect((await api.list({ service })).items).toEqual(stored.reverse());
    }
  });

  test('reading 3.3: digits after the sixth are not rounded up to the next second', async () => {
    const service = unique();
    const earlier = await api.append({ service, happened_at: '2026-05-04T09:00:00.9999999Z' });
    const later = await api.append({ service, happened_at: '2026-05-04T09:00:01Z' });
    expect((await api.list({ service, until: '2026-05-04T09:00:01Z' })).items).toEqual([earlier]);
    expect((await api.list({ service })).items).toEqual([later, earlier]);
  });
});
