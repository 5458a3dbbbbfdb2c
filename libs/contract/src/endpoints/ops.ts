import type { Endpoint } from '../endpoint.ts';
import { Liveness, Readiness, Version } from '../shapes/probes.ts';
import { unavailable } from './parts.ts';

/** Probes (§4 Ops) and versions (reading 8.6). */
export const opsEndpoints = {
  getLiveness: {
    method: 'GET',
    path: '/healthz',
    tag: 'ops',
    open: true,
    summary: 'Check whether the process is alive',
    replies: { 200: { description: 'The process is alive.', body: Liveness } },
    problems: {},
  },
  getReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'ops',
    open: true,
    summary: 'Check whether the service can handle requests',
    description: 'The service is ready when the database responds and all four notification channels are attached.',
    replies: { 200: { description: 'The service is ready.', body: Readiness } },
    problems: { ...unavailable },
  },
  getVersion: {
    method: 'GET',
    path: '/api/version',
    tag: 'ops',
    open: true,
    summary: 'Show the versions of the product and the contract',
    replies: { 200: { description: 'The versions.', body: Version, headers: ['X-Proxy-Trust'] } },
    problems: {},
  },
} as const satisfies Record<string, Endpoint>;
