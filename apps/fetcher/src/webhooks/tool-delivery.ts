import type { DeliveryAnswer } from '@shiplog/companions';
import type { Delivery, Source } from '../adapter.ts';
import type { Change, Json } from '../change.ts';
import { malformed, type RawDelivery, singleHeader } from '../tool/delivery.ts';
import { ShapeFault } from '../tool/shape.ts';
import { type DeliveryItem, digestOf, nothing, pointerValue } from './delivery-item.ts';

export interface DeliverySource {
  readonly id: string;
  /** Whether the source is also polled, so that polling finds the content of a delivery. */
  readonly isPolled: boolean;
  readonly source: Pick<Source, 'receive'>;
}

export interface ToolDeliverySink {
  /** Resolves when all changes are settled. @throws what the poster throws, or the reason of the signal */
  postChanges(sourceId: string, changes: readonly Change[], signal: AbortSignal): Promise<void>;
  /** Polls a place soon. Ignored if the source isn't polled. */
  hint(sourceId: string, place: string): void;
}

export interface ToolDelivery {
  readonly delivery: RawDelivery;
  readonly id: string | undefined;
  readonly body: Json;
  /** A JSON Pointer to the repository name. */
  readonly placePointer: string;
}

/** The first source that knows the repository processes the delivery. If that fails, polling finds the same changes. */
export function toolDeliveryItem(
  { delivery, id, body, placePointer }: ToolDelivery,
  sources: readonly DeliverySource[],
  sink: ToolDeliverySink,
): DeliveryItem {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw malformed('', 'must be a JSON object');
  const forSource: Delivery = { headers: plainHeaders(delivery), body };
  let asked: DeliverySource | undefined;
  return {
    id,
    digest: digestOf(delivery.body),
    expected: { accepted: 1, ignored: 0 },
    async settle(signal): Promise<DeliveryAnswer> {
      for (asked of sources) {
        const received = await receivedBy(asked, forSource, signal);
        if (!received) continue;
        const { changes, hints } = received;
        if (changes.length > 0) await sink.postChanges(asked.id, changes, signal);
        for (const place of hints) sink.hint(asked.id, place);
        const accepted = changes.length + hints.length;
        return accepted === 0 ? nothing : { accepted, ignored: 0 };
      }
      return nothing;
    },
    leaveToPolling(): DeliveryAnswer | undefined {
      const place = pointerValue(body, placePointer);
      if (!asked?.isPolled || typeof place !== 'string') return undefined;
      sink.hint(asked.id, place);
      return { accepted: 1, ignored: 0 };
    },
  };
}

/** @throws Problem if the body doesn't match its event type, and what the source throws */
async function receivedBy({ source }: DeliverySource, delivery: Delivery, signal: AbortSignal) {
  try {
    return await source.receive?.(delivery, signal);
  } catch (error) {
    throw shapeProblem(error);
  }
}

/** A problem for a body that doesn't match its event type; other errors as they are. */
export function shapeProblem(error: unknown): unknown {
  return error instanceof ShapeFault ? malformed('', `does not match its event type: ${error.message}`) : error;
}

/** Omits headers that occur more than once. */
export function plainHeaders({ headers }: RawDelivery): Delivery['headers'] {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, singleHeader(headers, name)]));
}
