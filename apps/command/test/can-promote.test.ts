import type { DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, answers, minute, postStored, ScriptedServer } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { type Called, call } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyService } = sharedLog();

const question = ['can-promote', '--service', 'api', '--version', '2', '--from', 'staging', '--to', 'prod'];

type Fields = Partial<DeploymentEventIngest>;

/** Runs can-promote on a log with these events of `api`. By default, an event is for version 2 in staging. */
async function asked(events: readonly Fields[], ...more: readonly string[]): Promise<Called> {
  const url = await emptyService();
  await postStored(url, anEvent({ service: 'other', environment: 'staging' }));
  await postStored(url, anEvent({ service: 'other', environment: 'prod' }));
  for (const fields of events) {
    await postStored(
      url,
      anEvent({ service: 'api', environment: 'staging', version: '2', happened_at: minute(1), ...fields }),
    );
  }
  return call([...question, ...more], { url });
}

const yes = { code: 0, out: 'yes: api 2 may be promoted from staging to prod.\n', err: '' };
const no = (...reasons: string[]) => ({ code: 1, out: reasons.map((reason) => `no: ${reason}\n`).join(''), err: '' });

describe('whether a release may be promoted', () => {
  test('a release whose latest event is a success may be promoted', async () => {
    expect(await asked([{ status: 'failure', happened_at: minute(0) }, {}])).toEqual(yes);
  });

  test.each(['failure', 'in-progress', 'cancelled', 'rejected'] as const)(
    'a release whose latest event is %s may not be promoted',
    async (status) => {
      const said = await asked([{}, { status, happened_at: minute(3) }]);
      expect(said).toEqual(no(`api 2 has been ${status} in staging since ${minute(3)}.`));
    },
  );

  test('a release that was never deployed may not be promoted', async () => {
    expect(await asked([{ version: '1' }, { environment: 'prod' }, { service: 'other' }])).toEqual(
      no('api 2 was never deployed to staging.'),
    );
  });

  test('can-promote ignores failures of other releases unless --no-open-failures is given', async () => {
    const failed = [{ happened_at: minute(9) }, { environment: 'prod', version: '1', status: 'failure' }] as const;
    expect(await asked(failed)).toEqual(yes);
    expect(await asked(failed, '--no-open-failures')).toEqual(
      no(`the latest completed deployment in prod failed: 1 at ${minute(1)}.`),
    );
  });
});

describe('--current', () => {
  const place = ['can-promote', '--service', 'api', '--from', 'staging', '--to', 'prod'];
  const deployed = async (...events: readonly Fields[]) => {
    const url = await emptyService();
    for (const environment of ['staging', 'prod']) await postStored(url, anEvent({ service: 'other', environment }));
    await postStored(url, anEvent({ service: 'api', environment: 'staging', status: 'queued', version: '9' }));
    for (const fields of events) await postStored(url, anEvent({ service: 'api', environment: 'staging', ...fields }));
    return call([...place, '--current'], { url });
  };

  test('--current is the running release, by version or commit', async () => {
    const older = { version: '1', happened_at: minute(0) };
    expect(await deployed(older, { version: '2', happened_at: minute(1) })).toEqual(yes);
    expect(await deployed(older, { sha: 'abc', happened_at: minute(1) })).toMatchObject({
      code: 0,
      out: 'yes: api abc may be promoted from staging to prod.\n',
    });
  });

  test('--current is refused if the release has failed since, or if no release has succeeded', async () => {
    const success = { version: '2', happened_at: minute(1) };
    expect(await deployed(success, { version: '2', status: 'failure', happened_at: minute(2) })).toEqual(
      no(`api 2 has been failure in staging since ${minute(2)}.`),
    );
    expect(await deployed()).toEqual(no('no release of api has succeeded in staging.'));
  });

  test('--current replaces --version', async () => {
    const { code, err } = await call([...place, '--current', '--version', '2']);
    expect([code, err]).toEqual([2, 'Give --version or --current, not both.\n']);
  });
});

describe('failures that prevent a promotion', () => {
  test('failures without a later success in either environment prevent a promotion', async () => {
    const events: Fields[] = [
      { environment: 'prod', version: '1', status: 'failure' },
      { environment: 'prod', version: '1', happened_at: minute(2) },
      { environment: 'prod', version: '1', status: 'cancelled', happened_at: minute(3) },
      {},
    ];
    expect(await asked(events, '--no-open-failures')).toEqual(yes);
    const later = { version: '3', status: 'failure', happened_at: minute(4) } as const;
    const reason = `the latest completed deployment in staging failed: 3 at ${minute(4)}.`;
    expect(await asked([...events, later], '--no-open-failures')).toEqual(no(reason));
    const { out } = await asked([...events, later], '--no-open-failures', '--json');
    expect(JSON.parse(out)).toEqual({ can_promote: false, reasons: [reason] });
  });

  test('a hostile version of a failure is shown with escaped control characters', async () => {
    const { out } = await asked(
      [{ version: '\u001b[2J\u202e', status: 'failure', environment: 'prod' }, {}],
      '--no-open-failures',
    );
    expect(out).toContain('failed: \\u{1b}[2J\\u{202e} at');
  });
});

describe('--soak', () => {
  const now = Date.parse('2026-05-04T12:00:00Z');
  const aged = async (seconds: number, soak: string) => {
    const row = anEvent({ version: '2', happened_at: new Date(now - seconds * 1000).toISOString() });
    const page = JSON.stringify({ items: [{ ...row, id: 'x' }], next_cursor: null });
    const server = await ScriptedServer.open(answers(200, page, { date: new Date(now).toUTCString() }));
    server.script('GET /api/services', answers(200, '{"items":["api"]}'));
    server.script('GET /api/environments', answers(200, '{"items":["prod","staging"]}'));
    // Like a service of an earlier version, which has no holds.
    server.script('GET /api/holds', answers(404, '{}'));
    return call([...question, '--soak', soak], { url: server.url });
  };

  test('--soak uses the clock of the service and prints the remaining time', async () => {
    expect(await aged(7200, '2h')).toEqual(yes);
    const { code, out } = await aged(7140, '2h');
    expect([code, out]).toEqual([1, expect.stringContaining('its soak time ends in 60 s.')]);
  });

  test('--soak accepts a number without a unit as seconds and refuses an invalid duration', async () => {
    expect((await aged(90, '90')).code).toBe(0);
    expect((await aged(89, '90')).code).toBe(1);
    expect((await aged(90, 'long')).code).toBe(2);
  });
});

test.each(['--service', '--version', '--to'])('can-promote requires %s', async (flag) => {
  const args = question.filter((word, index) => word !== flag && question[index - 1] !== flag);
  const { code, err } = await call(args);
  expect([code, err]).toEqual([2, `${flag} is required; see --help.\n`]);
});
