import type { Static, TObject, TSchema } from 'typebox';
import type { KeyName, ResponseHeader } from './headers.ts';
import type { ProblemName } from './problems.ts';
import type { Stream } from './streams.ts';

export interface SuccessReply {
  readonly description: string;
  readonly body?: TSchema;
  /** The media type of a text body; JSON by default. */
  readonly mediaType?: string;
  readonly headers?: readonly ResponseHeader[];
}

/** One operation of the API. Used for validation, clients and the OpenAPI document. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path parameters are written `{name}`. */
  readonly path: `/${string}`;
  /** The endpoint's group: a key of `coreTags`, or a tag of the program that serves it. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The required key; none by default (§5). */
  readonly key?: KeyName;
  /** It needs no credential, even if reads are guarded (access.md 5.1). */
  readonly open?: true;
  /** A person who has signed in may call it without a key, from a page of the same origin. */
  readonly person?: true;
  readonly params?: TObject;
  readonly query?: TObject;
  /** Request headers; an empty value counts as absent. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** The size limit of the body if it differs from the one in reading 1.5. */
  readonly bodyBytesMax?: number;
  /** An empty or missing body means an empty object. */
  readonly bodyOptional?: true;
  /** Refuses requests that a browser sends from a page of another site (reading 9.8). */
  readonly sameOrigin?: true;
  readonly replies: Readonly<Record<number, SuccessReply>>;
  readonly problems: Readonly<Record<number, readonly ProblemName[]>>;
  readonly stream?: Stream;
}

export type ServedEndpoints = Readonly<Record<string, Endpoint>>;

/** Marks a query parameter that counts as absent when empty (reading 1.3); an OpenAPI extension. */
export const emptyIsAbsent = 'x-empty-is-absent';

type Part<E, Name extends string> = E extends { [K in Name]: infer Shape extends TSchema } ? Static<Shape> : undefined;

/** The parts of a validated request to endpoint `E`. Parts that the endpoint does not have are `undefined`. */
export interface RequestOf<E extends Endpoint> {
  readonly params: Part<E, 'params'>;
  readonly query: Part<E, 'query'>;
  readonly headers: Part<E, 'headers'>;
  readonly body: Part<E, 'body'>;
}

/** The success body of endpoint `E`; `undefined` if it has none. */
export type AnswerOf<E extends Endpoint> = {
  [Code in keyof E['replies']]: E['replies'][Code] extends { body: infer Shape extends TSchema }
    ? Static<Shape>
    : never;
}[keyof E['replies']] extends infer Body
  ? [Body] extends [never]
    ? undefined
    : Body
  : never;
