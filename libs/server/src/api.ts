import type { Endpoint, ServedEndpoints } from '@shiplog/contract';
import type { FastifyInstance } from 'fastify';
import { type Handler, type RouteOptions, route } from './route.ts';

/** Adds endpoints of a table by name, and remembers them for the OpenAPI document. */
export class Api<const Endpoints extends { readonly [Name in keyof Endpoints]: Endpoint }> {
  readonly #served: Record<string, Endpoint> = {};
  readonly #app: FastifyInstance;
  readonly #endpoints: Endpoints;
  readonly #options: RouteOptions<Endpoint>;

  constructor(app: FastifyInstance, endpoints: Endpoints, options: RouteOptions<Endpoint>) {
    this.#app = app;
    this.#endpoints = endpoints;
    this.#options = options;
  }

  get served(): ServedEndpoints {
    return this.#served;
  }

  serve<Name extends keyof Endpoints & string>(name: Name, handler: Handler<Endpoints[Name]>): void {
    const endpoint = this.#endpoints[name];
    route(this.#app, this.#options, endpoint, handler);
    this.#served[name] = endpoint;
  }
}
