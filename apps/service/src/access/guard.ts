import type { IncomingMessage } from 'node:http';
import { matchesAny } from '@shiplog/access';
import { type Endpoint, endpoints, headerNames, keyHeaders, patterns } from '@shiplog/contract';
import { type Guard, isForeign, type Problem, unauthorized } from '@shiplog/server';
import type { FastifyRequest } from 'fastify';
import type { ActRecord } from './act-record.ts';
import { type Credential, isToken } from './credential.ts';
import type { Credentials } from './credentials.ts';
import { type Asked, forbidden } from './forbidden.ts';
import { type Readers, signInNeeded } from './readers.ts';

interface GuardOptions {
  readonly credentials: Credentials;
  readonly readers: Readers;
  readonly acts: ActRecord;
}

/** Determines who sends a request, from its head (access.md 2.3, 9.5). */
export class AccessGuard {
  readonly #options: GuardOptions;
  readonly #senders = new WeakMap<IncomingMessage, Credential>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  readonly judge: Guard = (endpoint, request) => {
    const { key, method } = endpoint;
    const { headers } = request.raw;
    if (key === undefined)
      return this.#options.readers.isGuarded(endpoint) ? this.#reader(endpoint, request) : undefined;
    if (key === 'control') return this.#control(request);
    const { credentials } = this.#options;
    // Without an access file, only X-Api-Key counts here.
    const use = method === 'GET' && credentials.hasFile ? 'read' : 'write';
    const sender = credentials.ofHeader(headers, use);
    if (!sender && endpoint.person && !isForeign(headers, this.#options.readers.publicUrl))
      return this.#person(request);
    if (sender instanceof Promise) return sender.then((token) => this.#admitted(endpoint, request, token));
    return sender ? this.#admitted(endpoint, request, sender) : unauthorized(keyHeaders.api);
  };

  /** Who sends a request that needed a key. */
  senderOf(request: FastifyRequest): Credential {
    const sender = this.readerOf(request);
    if (!sender) throw new Error('the sender of the request has not been determined');
    return sender;
  }

  /** Who sends a request, if that has been determined. */
  readerOf(request: FastifyRequest): Credential | undefined {
    return this.#senders.get(request.raw);
  }

  /** Whether a request is a read that was guarded. */
  isReader(request: FastifyRequest): boolean {
    return request.method !== 'POST' && this.#senders.has(request.raw);
  }

  admit(request: FastifyRequest, sender: Credential): void {
    this.#senders.set(request.raw, sender);
  }

  /**
   * Who sends a request, by its first credential (access.md 9.8).
   * @throws Problem 401 without one, 403 for a token that no rule accepts.
   */
  async self(request: FastifyRequest): Promise<Credential> {
    const { credentials, readers, acts } = this.#options;
    const { headers } = request.raw;
    const byKey = (await credentials.ofHeader(headers, 'read')) ?? credentials.ofControl(headers);
    const sender = byKey ?? (await readers.senderOf(request));
    if (!sender) throw readers.isOpen ? unauthorized(keyHeaders.api) : signInNeeded();
    if (!isToken(sender) || sender.match.rule) return sender;
    throw forbidden({ acts, sender, asked: { read: true }, outside: [], reason: 'no-rule' });
  }

  async #reader(endpoint: Endpoint, request: FastifyRequest): Promise<Problem | undefined> {
    const { readers } = this.#options;
    const sender = await readers.senderOf(request);
    if (!sender) return signInNeeded();
    const { deployment_id: id } = request.query as { deployment_id?: unknown };
    // Retry-safe posting needs to check whether its event is stored (access.md 9.9).
    const isOwnPost = endpoint.path === endpoints.listDeployments.path && isOne(id) && sender.may.post !== null;
    if (!sender.may.read && !isOwnPost) return readers.refused(sender, request);
    this.admit(request, sender);
    return undefined;
  }

  /** A person who has signed in; a wall display hasn't. */
  async #person(request: FastifyRequest): Promise<Problem | undefined> {
    const { readers } = this.#options;
    const person = readers.hasPersons ? await readers.ofSession(request) : undefined;
    if (!person || person.session?.key !== undefined) return unauthorized(keyHeaders.api);
    this.admit(request, person);
    return undefined;
  }

  #control(request: FastifyRequest): Problem | undefined {
    const sender = this.#options.credentials.ofControl(request.raw.headers);
    if (!sender) return unauthorized(keyHeaders.control);
    this.admit(request, sender);
    return sender.may.control ? undefined : this.#refused(sender, { control: true }, keyHeaders.control);
  }

  #admitted(endpoint: Endpoint, request: FastifyRequest, sender: Credential): Problem | undefined {
    this.admit(request, sender);
    if (sender.kind === 'shared') return undefined;
    const { adapter } = request.params as { adapter?: string };
    if (adapter !== undefined) {
      if (!isAdapter.test(adapter) || matchesAny(sender.may.state, adapter)) return undefined;
      return this.#refused(sender, { adapter }, 'adapter');
    }
    if (!endpoint.headers?.properties?.[headerNames.componentId]) return undefined;
    const component = request.raw.headers[headerNames.componentId.toLowerCase()];
    // A malformed id gets its 422 when the request is validated.
    if (typeof component !== 'string' || !isComponentId.test(component)) return undefined;
    if (matchesAny(sender.may.report, component)) return undefined;
    return this.#refused(sender, { component }, headerNames.componentId);
  }

  #refused(sender: Credential, asked: Asked, pointer: string): Problem {
    return forbidden({ acts: this.#options.acts, sender, asked, outside: [{ pointer: `/${pointer}` }] });
  }
}

function isOne(id: unknown): boolean {
  return typeof id === 'string' && id !== '';
}

const isAdapter = new RegExp(patterns.adapter);
const isComponentId = new RegExp(patterns.componentId);
