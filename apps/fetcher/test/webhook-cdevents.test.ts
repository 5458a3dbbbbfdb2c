import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deploymentOf } from '../src/webhooks/cdevents.ts';
import { envelopesOf } from '../src/webhooks/cloud-events.ts';

const digest = 'sha256:0b31b1c02ff458ad9b7b81cbdf8f028bd54699fa151f221d1e8de6817db93427';

interface CdEvent {
  readonly type?: string;
  readonly subject?: object;
  readonly timestamp?: unknown;
}

function aCdEvent({ type = 'dev.cdevents.service.deployed.0.1.1', subject, timestamp }: CdEvent = {}) {
  return {
    context: {
      version: '0.4.1',
      id: 'e1',
      source: '/event/source/123',
      type,
      timestamp: timestamp ?? '2026-05-04T11:00:00+02:00',
    },
    subject: {
      id: '/namespace/payments-api',
      source: '/event/source/123',
      type: 'service',
      content: {
        environment: { id: 'prod', source: '/infra' },
        artifactId: `pkg:oci/payments-api@${encodeURIComponent(digest)}`,
      },
      ...subject,
    },
  };
}

function aCloudEvent(fields: object = {}, data: unknown = aCdEvent()) {
  const type = 'dev.cdevents.service.deployed.0.1.1';
  return { specversion: '1.0', id: 'c1', source: 'https://ci.example.com', type, data, ...fields };
}

/** The content of a delivery as text; for a refused one, the pointers of its errors. */
function told(headers: Readonly<Record<string, string | string[]>>, body: unknown): string[] {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]));
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  try {
    return envelopesOf({ headers: sent, body: bytes }).map((envelope) => {
      const event = deploymentOf(envelope);
      return event ? `${event.service} ${event.environment} ${event.status} ${event.happened_at}` : 'nothing';
    });
  } catch (error) {
    const { options } = error as { options: { errors: { pointer: string }[] } };
    return options.errors.map(({ pointer }) => `refused at ${pointer}`);
  }
}

const structured = { 'content-type': 'application/cloudevents+json; charset=UTF-8' };
const batched = { 'content-type': 'application/cloudevents-batch+json' };
const binary = {
  'content-type': 'application/json',
  'ce-specversion': '1.0',
  'ce-id': 'c1',
  'ce-source': 'https://ci.example.com',
  'ce-type': 'dev.cdevents.service.deployed.0.1.1',
};
const taken = 'payments-api prod success 2026-05-04T09:00:00Z';
const other = aCloudEvent({ type: 'com.example.other' }, { any: 'thing' });
const coded = {
  ...aCloudEvent(),
  data: undefined,
  data_base64: Buffer.from(JSON.stringify(aCdEvent())).toString('base64'),
};

describe('§11.3: the format of a CloudEvent', () => {
  test.each<[string, Readonly<Record<string, string | string[]>>, unknown, readonly string[]]>([
    ['structured', structured, aCloudEvent(), [taken]],
    ['structured, with data in base64', structured, coded, [taken]],
    ['batched', batched, [aCloudEvent(), other], [taken, 'nothing']],
    ['an empty batch', batched, [], []],
    ['binary', binary, aCdEvent(), [taken]],
    ['binary, of another type without a body', { ...binary, 'ce-type': 'com.example.ping' }, '', ['nothing']],
    ['bare', { 'content-type': 'application/json' }, aCdEvent(), [taken]],
    ['bare, without a content type', {}, aCdEvent(), [taken]],
    ['no JSON', structured, '{', ['refused at ']],
    ['no UTF-8', structured, Buffer.from([0x22, 0xff, 0x22]), ['refused at ']],
    ['a batch that is not an array', batched, aCloudEvent(), ['refused at ']],
    ['another version of CloudEvents', structured, aCloudEvent({ specversion: '0.3' }), ['refused at /specversion']],
    ['without any version', structured, aCdEvent(), ['refused at /specversion']],
    ['without id', structured, aCloudEvent({ id: undefined }), ['refused at /id']],
    [
      'an event of a batch without id and type',
      batched,
      [other, aCloudEvent({ id: '', type: 1 })],
      ['refused at /1/type', 'refused at /1/id'],
    ],
    ['a batch with an empty item', batched, [null], ['refused at /0/specversion']],
    ['base64 of text that is not JSON', structured, { ...coded, data_base64: 'AAAA' }, ['refused at /data_base64']],
    ['binary without source', { ...binary, 'ce-source': '' }, aCdEvent(), ['refused at /ce-source']],
    ['binary with two ids', { ...binary, 'ce-id': ['a', 'b'] }, aCdEvent(), ['refused at /ce-id']],
    ['binary of another version', { ...binary, 'ce-specversion': '2.0' }, aCdEvent(), ['refused at /ce-specversion']],
    [
      'bare without a context',
      {},
      {},
      ['refused at /context/type', 'refused at /context/source', 'refused at /context/id'],
    ],
    ['a text', {}, '"x"', ['refused at /context/type', 'refused at /context/source', 'refused at /context/id']],
  ])('%s', (_, headers, body, expected) => {
    expect(told(headers, body)).toEqual(expected);
  });

  test.each([
    ['https://ci.example.com/%C3%A9', 'https://ci.example.com/é'],
    ['"a \\"quoted\\" source"', 'a "quoted" source'],
    ['plain', 'plain'],
  ])('the header ce-source %s is read as %s', (sent, expected) => {
    const headers = { 'ce-specversion': ['1.0'], 'ce-id': ['c1'], 'ce-type': ['x'], 'ce-source': [sent] };
    expect(envelopesOf({ headers, body: Buffer.from('{}') })).toEqual([expect.objectContaining({ source: expected })]);
  });

  test('a header with broken percent-encoding is refused', () => {
    expect(told({ ...binary, 'ce-id': '%E0%A4' }, aCdEvent())).toEqual(['refused at /ce-id']);
  });
});

describe('§11.3: the content of an event', () => {
  test.each<[string, CdEvent, string]>([
    ['deployed', {}, taken],
    ['upgraded', { type: 'dev.cdevents.service.upgraded.0.2.0' }, taken],
    ['rolledback', { type: 'dev.cdevents.service.rolledback.1.0.0-draft' }, taken],
    ['deployed without a version', { type: 'dev.cdevents.service.deployed' }, taken],
    ['removed', { type: 'dev.cdevents.service.removed.0.1.1' }, 'nothing'],
    ['published', { type: 'dev.cdevents.service.published.0.1.1' }, 'nothing'],
    ['another type with the same beginning', { type: 'dev.cdevents.service.deployedagain.0.1.1' }, 'nothing'],
    ['an environment', { type: 'dev.cdevents.environment.created.0.1.1' }, 'nothing'],
    ['a service without a path', { subject: { id: 'payments-api' } }, taken],
    ['a service with a trailing slash', { subject: { id: 'a/payments-api/' } }, taken],
    ['a service that consists only of slashes', { subject: { id: '//' } }, 'refused at /subject/id'],
    ['no service', { subject: { id: '' } }, 'refused at /subject/id'],
    ['no environment', { subject: { content: {} } }, 'refused at /subject/content/environment/id'],
    [
      'an environment as a number',
      { subject: { content: { environment: { id: 7 } } } },
      'refused at /subject/content/environment/id',
    ],
    ['an instant without an offset', { timestamp: '2026-05-04T09:00:00' }, 'refused at /context/timestamp'],
    ['an instant as a number', { timestamp: 1_777_885_200 }, 'refused at /context/timestamp'],
  ])('%s', (_, event, expected) => {
    expect(told({}, aCdEvent(event))).toEqual([expected]);
  });

  test('all errors are reported at once, with their JSON Pointers', () => {
    const broken = aCdEvent({ subject: { id: 7, content: {} }, timestamp: 'x' });
    expect(told(batched, [aCloudEvent({}, broken)])).toEqual([
      'refused at /0/data/subject/id',
      'refused at /0/data/subject/content/environment/id',
      'refused at /0/data/context/timestamp',
    ]);
    expect(told(structured, aCloudEvent({ data: undefined }))).toHaveLength(3);
  });

  test.each<[string, unknown, string | undefined]>([
    ['a digest', `pkg:oci/app@${encodeURIComponent(digest)}`, digest],
    ['a tag', 'pkg:oci/app@1.4.2', '1.4.2'],
    ['a purl with qualifiers', 'pkg:oci/app@1.4.2?repository_url=ghcr.io/acme@x', '1.4.2'],
    ['a purl with a subpath', 'pkg:golang/a/b@v1.2.3#sub@4', 'v1.2.3'],
    ['a purl with encoded characters before its qualifiers', 'pkg:generic/app@1.0%3Fx', '1.0?x'],
    ['a purl with a scope', 'pkg:npm/%40acme/app@2.0.0', '2.0.0'],
    ['a purl with an unencoded scope and no version', 'pkg:npm/@acme/app', undefined],
    ['a purl without a version', 'pkg:oci/app', undefined],
    ['a purl with broken encoding', 'pkg:oci/app@%E0%A4', undefined],
    ['text that is not a package URL', 'app@1.4.2', undefined],
    ['a number', 7, undefined],
    ['nothing', undefined, undefined],
  ])('the version is read from %s', (_, artifactId, expected) => {
    const content = { environment: { id: 'prod' }, artifactId };
    const [envelope] = envelopesOf({
      headers: {},
      body: Buffer.from(JSON.stringify(aCdEvent({ subject: { content } }))),
    });
    expect(envelope && deploymentOf(envelope)?.version).toBe(expected);
  });

  test('the deployment id is derived from source and id of the CloudEvent', () => {
    const id = (headers: Record<string, string[]>, body: object) =>
      envelopesOf({ headers, body: Buffer.from(JSON.stringify(body)) }).map((one) => deploymentOf(one)?.deployment_id);
    const expected = (text: string) => [`cde-${hash('sha256', text).slice(0, 32)}`];
    expect(id({}, aCdEvent())).toEqual(expected('/event/source/123\ne1'));
    expect(id({ 'content-type': ['application/cloudevents+json'] }, aCloudEvent())).toEqual(
      expected('https://ci.example.com\nc1'),
    );
  });
});
