import { type Endpoint, invalid, tooLarge } from '@shiplog/contract';
import { Type } from 'typebox';
import { fetcherLimits } from './fetcher.ts';
import { DeliveryAnswer, FetcherHealth } from './fetcher-shapes.ts';

/** The endpoints of the fetcher (fetcher §11, §13). */
export const fetcherEndpoints = {
  receiveDelivery: {
    method: 'POST',
    path: '/webhooks/{hook}',
    tag: 'webhooks',
    summary: 'Take a delivery of a webhook',
    description:
      'The body is what the tool sends, at most 5 MiB, with the signature or the token that the webhook was set up with. Whatever was delivered before under the same id is accepted and not stored again.',
    params: Type.Object({
      hook: Type.String({
        description: '`github`, `gitlab`, `cdevents`, or the name of a webhook of the configuration file.',
        examples: ['github'],
      }),
    }),
    bodyBytesMax: fetcherLimits.deliveryBytes,
    replies: { 202: { description: 'What became of it.', body: DeliveryAnswer } },
    problems: { 401: ['unauthorized'], 404: ['not-found'], ...tooLarge, ...invalid, 503: ['unavailable'] },
  },
  getFetcherHealth: {
    method: 'GET',
    path: '/health',
    tag: 'ops',
    summary: 'The state of the fetcher and of its sources',
    description: 'Answers 200 while the process runs, whatever its state.',
    replies: { 200: { description: 'The state.', body: FetcherHealth } },
    problems: {},
  },
  getFetcherReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'ops',
    summary: 'Whether every source can be polled',
    description: 'Not while the token of a source is refused or its tool is away, except during a reset.',
    replies: {
      200: { description: 'Every source can be polled.', body: FetcherHealth },
      503: { description: 'Some source cannot be polled.', body: FetcherHealth, headers: ['Retry-After'] },
    },
    problems: {},
  },
} as const satisfies Record<string, Endpoint>;
