import type { Endpoint } from './endpoint.ts';

/** The endpoints that a program serves, by name. */
export type ServedEndpoints = Readonly<Record<string, Endpoint>>;
