import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { limits, patterns } from '../limits.ts';
import { statuses } from '../status.ts';

/**
 * A string that is stored as sent. U+0000 and lone surrogates are rejected (reading 1.6). Lengths are in code points.
 */
export function text(minLength: number, maxLength: number, options: TSchemaOptions = {}) {
  return Type.String({ minLength, maxLength, pattern: patterns.storableText, ...options });
}

/** RFC 3339 with an offset (reading 1.7). */
export function dateTime(options: TSchemaOptions = {}) {
  return Type.String({ format: 'date-time', ...options });
}

/** An RFC 3339 date-time with an offset, or a date, meaning its UTC midnight (questions.md 1.4). */
export function moment(options: TSchemaOptions = {}) {
  return Type.String({ format: 'moment', ...options });
}

export function uuid(options: TSchemaOptions = {}) {
  return Type.String({ format: 'uuid', ...options });
}

/**
 * An optional member of a request body; `null` counts as absent (reading 3.2) and is removed when the body is read, so
 * no other code has to handle it. For requests only; responses never contain such a `null`.
 */
export function orNull<const Shape extends TSchema & { readonly type: string }>(shape: Shape) {
  return Type.Optional(Type.Unsafe<Static<Shape>>({ ...shape, type: [shape.type, 'null'] }));
}

export const StatusShape = Type.Enum([...statuses], {
  description: 'The status that the deployment reached.',
  examples: ['success'],
});

export const PageLimit = Type.Integer({
  minimum: 1,
  maximum: limits.pageSizeMax,
  default: limits.pageSizeDefault,
  description: 'The maximum number of items on a page.',
});

/** A response member that is always present but may be `null`. */
export const nullable = <Shape extends TSchema>(shape: Shape, options?: TSchemaOptions) =>
  Type.Union([shape, Type.Null()], options);
