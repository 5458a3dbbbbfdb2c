import type { DeliveryAnswer } from '@shiplog/companions';
import type { Delivery, Source } from '../adapter.ts';
import type { Change, Json } from '../change.ts';
import { ShapeFault } from '../tool/shape.ts';
import {
  deliveryId,
  digestOf,
  headerOf,
  jsonOf,
  malformed,
  nothing,
  type Parcel,
  parsed,
  type RawDelivery,
} from './delivery.ts';
import { pointerValue } from './pointer.ts';

/** A source that takes deliveries of its tool. */
export interface DeliverySource {
  readonly id: string;
  /** Whether it also polls, so that it finds by itself what a delivery told. */
  readonly isPolled: boolean;
  readonly source: Pick<Source, 'receive'>;
}

/** Where what a delivery says goes. */
export interface ToolOutlet {
  /** Resolves when all of them are settled. @throws what the poster throws, or the reason of the signal */
  postChanges(sourceId: string, changes: readonly Change[], signal: AbortSignal): Promise<void>;
  /** A place is to be polled at once. One that the source does not poll is nothing. */
  hint(sourceId: string, place: string): void;
}

/** Where the bodies of a tool name the repository that they are about. */
export const placePointers = { github: '/repository/full_name', gitlab: '/project/path_with_namespace' } as const;

/**
 * What the sources of a tool make of its delivery: the first that knows the repository takes it. Where it fails, or the
 * log does, polling finds the same.
 */
export function toolParcel(
  delivery: RawDelivery,
  placePointer: string,
  sources: readonly DeliverySource[],
  outlet: ToolOutlet,
): Parcel {
  const body = toolBody(delivery);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw malformed('', 'must be a JSON object');
  const forSource: Delivery = { headers: plainHeaders(delivery), body };
  let asked: DeliverySource | undefined;
  return {
    id: deliveryId(delivery.headers),
    digest: digestOf(delivery.body),
    expected: { accepted: 1, ignored: 0 },
    async settle(signal): Promise<DeliveryAnswer> {
      for (asked of sources) {
        const received = await receivedBy(asked, forSource, signal);
        if (!received) continue;
        const { changes, hints } = received;
        if (changes.length > 0) await outlet.postChanges(asked.id, changes, signal);
        for (const place of hints) outlet.hint(asked.id, place);
        const accepted = changes.length + hints.length;
        return accepted === 0 ? nothing : { accepted, ignored: 0 };
      }
      return nothing;
    },
    leave(): DeliveryAnswer | undefined {
      const place = pointerValue(body, placePointer);
      if (!asked?.isPolled || typeof place !== 'string') return undefined;
      outlet.hint(asked.id, place);
      return { accepted: 1, ignored: 0 };
    },
  };
}

/** @throws Problem where the body is not what its event promises, and what the source throws */
async function receivedBy({ source }: DeliverySource, delivery: Delivery, signal: AbortSignal) {
  try {
    return await source.receive?.(delivery, signal);
  } catch (error) {
    throw error instanceof ShapeFault ? malformed('', `is no delivery of its event: ${error.message}`) : error;
  }
}

/** GitHub sends its JSON as the field of a form where a webhook is set so. */
function toolBody({ headers, body }: RawDelivery): Json {
  const type = headerOf(headers, 'content-type')?.toLowerCase() ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return jsonOf(body);
  return parsed(new URLSearchParams(body.toString('utf8')).get('payload') ?? '');
}

/** A header that is there twice is left out. */
function plainHeaders({ headers }: RawDelivery): Delivery['headers'] {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, headerOf(headers, name)]));
}
