import type { Endpoint } from '@shiplog/contract';
import { RelayHealth } from './relay-shapes.ts';

/** The endpoints of the relay (relay §9.14). */
export const relayEndpoints = {
  getRelayHealth: {
    method: 'GET',
    path: '/health',
    tag: 'ops',
    summary: 'State of the relay and its targets',
    description: 'Answers 200 while the process runs, whatever its state.',
    replies: { 200: { description: 'The state.', body: RelayHealth } },
    problems: {},
  },
  getRelayReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'ops',
    summary: 'Readiness of the relay',
    description: 'Like `/health`. A target that is down is no reason to restart the relay, so the relay stays ready.',
    replies: { 200: { description: 'The state.', body: RelayHealth } },
    problems: {},
  },
} as const satisfies Record<string, Endpoint>;
