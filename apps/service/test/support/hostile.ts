import { type DeploymentEventIngest, statuses } from '@shiplog/contract';
import fc from 'fast-check';

/** Text that has broken programs before. */
export const nastyText = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfffb',
    '\udc00\ud800',
    '￿',
    '\u202e',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '1e400',
    "'; drop table deployments; --",
    '%00',
    '%',
    '%zz',
    '../../etc/passwd',
    '{{7*7}}',
    '\\',
    '"',
    '\u2028',
    '🚢'.repeat(130),
    'x'.repeat(129),
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999-23:59',
    '2016-12-31T23:59:60Z',
    '-1',
    '99999999999999999999',
    '2026-05-04T09:12:02Z',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

const wrongValue = fc.oneof(
  { arbitrary: nastyText, weight: 4 },
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, true, 0, -0, 1e308, [], {}, [null], [['x']], { toString: 1 }, 'a'.repeat(3000)),
);

const validEvent = fc.record<DeploymentEventIngest>(
  {
    deployment_id: fc.string({ minLength: 1, maxLength: 20 }),
    service: fc.constantFrom('payments-api', 'order-svc', 'é', '🚢'),
    environment: fc.constantFrom('dev', 'prod'),
    version: fc.string({ maxLength: 20 }),
    status: fc.constantFrom(...statuses),
    happened_at: fc.constantFrom('2026-05-04T09:12:02Z', '2026-05-04T09:12:02.5+02:00', '0001-01-01T00:00:00Z'),
    run_url: fc.constantFrom('https://ci.example.com/runs/7', 'urn:x:y'),
    run_number: fc.string({ maxLength: 20 }),
    actor: fc.string({ maxLength: 20 }),
    ref: fc.string({ maxLength: 20 }),
    sha: fc.string({ maxLength: 20 }),
    parent_deployments: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 10 }), { maxLength: 5 }),
  },
  { requiredKeys: ['deployment_id', 'service', 'environment', 'status', 'happened_at'] },
);

const fieldNames = [
  'deployment_id',
  'service',
  'environment',
  'version',
  'status',
  'happened_at',
  'run_url',
  'run_number',
  'actor',
  'ref',
  'sha',
  'parent_deployments',
  'id',
  'progress_reporter',
  '__proto__',
  'constructor',
  '',
];

/** A valid event with one to three places spoilt: a wrong value, a missing field, an unknown one, a doubled one. */
const nearlyValidText = fc
  .tuple(
    validEvent,
    fc.array(
      fc.record({
        name: fc.oneof({ arbitrary: fc.constantFrom(...fieldNames), weight: 9 }, nastyText),
        value: fc.option(wrongValue, { nil: undefined, freq: 9 }),
      }),
      { minLength: 1, maxLength: 3, size: 'xsmall' },
    ),
  )
  .map(([event, spoilt]) => {
    const members = Object.entries(event).filter(([name]) => spoilt.every((place) => place.name !== name));
    const wrong = spoilt
      .filter((place) => place.value !== undefined)
      .map((place) => [place.name, place.value] as const);
    return `{${[...members, ...wrong].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`;
  });

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** Bodies from fine to hopeless. */
export const hostileBody = fc.oneof(
  { arbitrary: validEvent.map((event) => bytesOf(JSON.stringify(event))), weight: 1 },
  { arbitrary: nearlyValidText.map(bytesOf), weight: 4 },
  // Cut anywhere, so that JSON and UTF-8 break in the middle.
  {
    arbitrary: fc.tuple(nearlyValidText, fc.nat(200)).map(([text, length]) => bytesOf(text).subarray(0, length)),
    weight: 1,
  },
  { arbitrary: fc.json({ maxDepth: 4 }).map(bytesOf), weight: 1 },
  { arbitrary: fc.uint8Array({ maxLength: 100 }), weight: 1 },
  {
    arbitrary: fc
      .constantFrom('[', '{"a":', '{"service":{"a":')
      .chain((opening) => fc.nat(5000).map((depth) => bytesOf(opening.repeat(depth)))),
    weight: 1,
  },
);

/** Header values that a client can send at all: bytes, but no line break and no NUL. */
export const headerValue = fc
  .oneof(
    nastyText.map((text) => Buffer.from(text).toString('latin1')),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());

/** Text as it may stand in a request line: percent-encoded, broken or raw. */
export const urlText = fc.oneof(
  fc.constantFrom('%00', 'a%00b', '%', '%zz', '%ff', '%ed%a0%80', '+', '..', '%2e%2e', '%2f'),
  // Positions that look like those of a listing and are none.
  fc
    .constantFrom(
      '/',
      'x/y',
      '2026-05-04T09:12:02.000000Z/',
      '2026-02-30T09:12:02.000000Z/00000000-0000-0000-0000-000000000000',
      '2026-05-04T09:12:02.000000Z/not-a-uuid',
      'infinity/00000000-0000-0000-0000-000000000000',
    )
    .map((text) => Buffer.from(text).toString('base64url')),
  nastyText.filter((text) => !/\p{Surrogate}/u.test(text)).map(encodeURIComponent),
  nastyText.map((text) => text.replace(/[^\x21-\x7e]|[#?]/g, '')),
);
