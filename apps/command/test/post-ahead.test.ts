import { TestClock } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { call } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyLog } = sharedLog();

test.each([
  ['2026-05-04T09:04:59Z', ''],
  ['2026-05-04T09:05:00Z', 'is dated 5 minutes in the future'],
  ['9999-12-31T23:59:59Z', 'minutes in the future'],
])(
  'an event dated %s at 09:00 is posted, with a warning if it is five minutes or more in the future',
  async (at, words) => {
    const log = await emptyLog();
    const place = ['--service', 'api', '--environment', 'prod', '--status', 'success', '--deployment-id', 'd-1'];
    const clock = new TestClock();
    const { code, err } = await call(['post', ...place, '--happened-at', at], { url: log.url, clock });
    expect(code).toBe(0);
    if (words === '') expect(err).toBe('');
    else expect(err).toContain(words);
    expect(await log.rows()).toMatchObject([{ happened_at: at }]);
  },
);
