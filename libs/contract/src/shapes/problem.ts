import { type Static, Type } from 'typebox';
import { Refusal } from './access.ts';

/** One error in a request (§2 Problem). */
export const FieldError = Type.Object({
  pointer: Type.String({
    description: 'A JSON Pointer into the body, or `/<name>` of a header, query or path parameter.',
  }),
  message: Type.String(),
});
export type FieldError = Static<typeof FieldError>;

/** Error body, `application/problem+json` (RFC 9457, §2 Problem). */
export const Problem = Type.Object({
  type: Type.String({ format: 'uri-reference', examples: ['/problems/validation'] }),
  title: Type.String({ examples: ['Validation failed'] }),
  status: Type.Integer({ examples: [422] }),
  detail: Type.String({ examples: ['/limit must be an integer from 1 to 500.'] }),
  instance: Type.String({ examples: ['/api/deployments'] }),
  errors: Type.Optional(Type.Array(FieldError, { description: 'Present only if validation failed.' })),
  checks: Type.Optional(
    Type.Record(Type.String(), Type.Enum(['ok', 'fail']), {
      description: 'Present only in the 503 response of the readiness probe.',
    }),
  ),
  ...Refusal,
});
export type Problem = Static<typeof Problem>;
