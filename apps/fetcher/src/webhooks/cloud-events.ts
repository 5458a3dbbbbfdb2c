import type { FieldError } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import type { Json } from '../change.ts';
import { bodyJson, malformed, parseJson, type RawDelivery, singleHeader } from '../tool/delivery.ts';
import { pointerValue, requiredText } from './delivery-item.ts';

export interface Envelope {
  readonly type: string;
  readonly source: string;
  readonly id: string;
  readonly data: Json | undefined;
  /** A JSON Pointer to `data` in the body. */
  readonly pointer: string;
}

/** Reads CloudEvents 1.0 (structured, batched or binary), or one bare CDEvent (fetcher §11.3). @throws Problem */
export function envelopesOf({ headers, body }: RawDelivery): Envelope[] {
  const type = singleHeader(headers, 'content-type')?.toLowerCase() ?? '';
  if (type.startsWith('application/cloudevents-batch')) {
    const batch = bodyJson({ body });
    if (!Array.isArray(batch)) throw malformed('', 'must be an array of CloudEvents');
    return batch.map((event, index) => structured(event, `/${index}`));
  }
  if (type.startsWith('application/cloudevents')) return [structured(bodyJson({ body }), '')];
  if (headers['ce-specversion'] !== undefined) return [binary({ headers, body })];
  const event = bodyJson({ body });
  return [envelopeOf((name) => pointerValue(event, `/context/${name}`), '/context', { data: event, pointer: '' })];
}

const specVersion = '1.0';

function structured(event: Json, prefix: string): Envelope {
  const member = (name: string) => pointerValue(event, `/${name}`);
  judgeVersion(member('specversion'), `${prefix}/specversion`);
  const encoded = member('data_base64');
  const data = typeof encoded === 'string' ? decodedData(encoded, `${prefix}/data_base64`) : member('data');
  return envelopeOf(member, prefix, { data, pointer: `${prefix}/data` });
}

function binary({ headers, body }: RawDelivery): Envelope {
  const attribute = (name: string) => attributeText(singleHeader(headers, `ce-${name}`));
  judgeVersion(attribute('specversion'), '/ce-specversion');
  const data = body.length === 0 ? undefined : bodyJson({ body });
  return envelopeOf(attribute, '/ce-', { data, pointer: '' });
}

function judgeVersion(version: Json | undefined, pointer: string): void {
  if (version !== specVersion) throw malformed(pointer, `must be ${specVersion}, the supported version of CloudEvents`);
}

/** `prefix` precedes the names of attributes, with a slash unless it ends in a dash. */
function envelopeOf(
  attribute: (name: string) => Json | undefined,
  prefix: string,
  carried: Pick<Envelope, 'data' | 'pointer'>,
): Envelope {
  const faults: FieldError[] = [];
  const text = (name: string) =>
    requiredText(attribute(name), prefix.endsWith('-') ? prefix + name : `${prefix}/${name}`, faults);
  const envelope = { type: text('type'), source: text('source'), id: text('id'), ...carried };
  if (faults.length > 0) throw invalid(faults);
  return envelope;
}

/** Decodes a header of the binary binding: quotes, then percent-encoding (HTTP binding 3.1.3.2). */
function attributeText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const plain = /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
  try {
    return decodeURIComponent(plain);
  } catch {
    return undefined;
  }
}

function decodedData(encoded: string, pointer: string): Json {
  const bytes = Buffer.from(encoded, 'base64');
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw malformed(pointer, 'must be the base64 of JSON in UTF-8');
  }
}
