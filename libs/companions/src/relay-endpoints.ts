import type { Endpoint } from '@shiplog/contract';
import { RelayHealth } from './relay-shapes.ts';

/** The endpoints of the relay (relay §9.14). */
export const relayEndpoints = {
  getRelayHealth: {
    method: 'GET',
    path: '/health',
    tag: 'ops',
    summary: 'The state of the relay and of its targets',
    description: 'Answers 200 as long as the process lives, whatever the state is.',
    replies: { 200: { description: 'The state.', body: RelayHealth } },
    problems: {},
  },
  getRelayReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'ops',
    summary: 'Whether the relay works',
    description:
      'The same. A target that is away is no reason to start the relay anew, so that it is ready all the same.',
    replies: { 200: { description: 'The state.', body: RelayHealth } },
    problems: {},
  },
} as const satisfies Record<string, Endpoint>;
