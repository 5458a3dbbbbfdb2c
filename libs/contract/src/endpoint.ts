import type { Static, TObject, TSchema } from 'typebox';
import type { KeyName, ResponseHeader } from './headers.ts';
import type { ProblemName } from './problems.ts';
import type { Stream } from './streams.ts';

export interface SuccessReply {
  readonly description: string;
  readonly body?: TSchema;
  readonly headers?: readonly ResponseHeader[];
}

/** One operation of the API: all that validation, clients and the OpenAPI document need to know of it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path parameters are written `{name}`. */
  readonly path: `/${string}`;
  /** The group that it belongs to, by its name in `coreTags` or among the tags of the program that serves it. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The credential it takes; none where absent (§5). */
  readonly key?: KeyName;
  readonly params?: TObject;
  readonly query?: TObject;
  /** Request headers under their written names; an empty value counts as absent. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** How large a body may be, where it may be larger than others (reading 1.5). */
  readonly bodyBytesMax?: number;
  /** An empty or missing body means an empty object. */
  readonly bodyOptional?: true;
  /** Refused where a browser sends it from a page of another site (reading 9.8). */
  readonly sameOrigin?: true;
  readonly replies: Readonly<Record<number, SuccessReply>>;
  readonly problems: Readonly<Record<number, readonly ProblemName[]>>;
  readonly stream?: Stream;
}

/** Marks a query parameter whose empty value counts as absent (reading 1.3); an extension of OpenAPI. */
export const emptyIsAbsent = 'x-empty-is-absent';

type Part<E, Name extends string> = E extends { [K in Name]: infer Shape extends TSchema } ? Static<Shape> : undefined;

/** What a request of endpoint `E` carries, after validation; a part that the endpoint does not take is `undefined`. */
export interface RequestOf<E extends Endpoint> {
  readonly params: Part<E, 'params'>;
  readonly query: Part<E, 'query'>;
  readonly headers: Part<E, 'headers'>;
  readonly body: Part<E, 'body'>;
}

/** The body of endpoint `E`'s success answer, `undefined` where it has none. */
export type AnswerOf<E extends Endpoint> = {
  [Code in keyof E['replies']]: E['replies'][Code] extends { body: infer Shape extends TSchema }
    ? Static<Shape>
    : never;
}[keyof E['replies']] extends infer Body
  ? [Body] extends [never]
    ? undefined
    : Body
  : never;
