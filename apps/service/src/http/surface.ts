import { type EndpointName, endpoints } from '@shiplog/contract';
import { type Handler, type Keys, route } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';

/** Adds endpoints of the contract by name, and remembers which are served: the OpenAPI document lists those. */
export class Surface {
  readonly served: EndpointName[] = [];
  readonly #app: FastifyInstance;
  readonly #keys: Keys;

  constructor(app: FastifyInstance, keys: Keys) {
    this.#app = app;
    this.#keys = keys;
  }

  serve<Name extends EndpointName>(name: Name, handler: Handler<(typeof endpoints)[Name]>): void {
    route(this.#app, this.#keys, endpoints[name], handler);
    this.served.push(name);
  }
}
