import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import {
  emptyIsAbsent,
  type FieldError,
  instantFault,
  momentFault,
  parseInstant,
  parseMoment,
  patterns,
} from '@shiplog/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TObject } from 'typebox';

export type Validator = (value: unknown) => FieldError[];

/** Reports all errors together and doesn't change the value (reading 1.2). Ajv counts lengths in code points. */
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, verbose: true, validateSchema: false });
ajv.addVocabulary([emptyIsAbsent]);
addFormats.default(ajv, { mode: 'full', formats: ['uri', 'uuid'] });
// Replaces the library's date-time format, which accepts a space for the T, +0200, and second 60 in any minute.
ajv.addFormat('date-time', { validate: (text: string) => parseInstant(text) !== undefined });
ajv.addFormat('moment', { validate: (text: string) => parseMoment(text) !== undefined });

export function compileValidator(schema: object): Validator {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).filter(isOwnError).map(toFieldError));
}

/** For a failed condition, report only the error inside it. */
function isOwnError({ keyword }: ErrorObject): boolean {
  return keyword !== 'if';
}

function toFieldError(error: ErrorObject): FieldError {
  return { pointer: error.instancePath + memberPointer(error), message: sentence(error) };
}

/** Points at a missing or unknown field itself, not at its parent (reading 1.2). */
function memberPointer(error: ErrorObject): string {
  const member = error.params.missingProperty ?? error.params.additionalProperty;
  return typeof member === 'string' ? `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
}

const formatErrors: Readonly<Record<string, (text: string) => string | undefined>> = {
  'date-time': instantFault,
  moment: momentFault,
  uri: (text) =>
    /\s/.test(text)
      ? 'must be a URI; write spaces as %20'
      : 'must be an absolute URI with a scheme, such as https://ci.example.com/runs/7',
};

const patternErrors: Readonly<Record<string, string>> = {
  [patterns.storableText]: 'must not contain U+0000 or a lone surrogate',
  [patterns.storableGlob]:
    'must not contain U+0000 or a lone surrogate, or end in a backslash, which escapes the next character',
  [patterns.glob]: 'must not end in a backslash, which escapes the next character',
};

/** Says what is expected, without the validation library's terms. */
function sentence({ keyword, params, parentSchema, message, data }: ErrorObject): string {
  const schema = parentSchema as { type?: string; minimum?: number; maximum?: number; enum?: readonly string[] };
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'type':
    case 'minimum':
    case 'maximum':
      if (schema.type === 'integer') return `must be an integer from ${schema.minimum} to ${schema.maximum}`;
      return keyword === 'type' ? typeError([params.type].flat()[0], data) : `${message}`;
    case 'enum':
      return `must be one of ${schema.enum?.join(', ')}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'maxItems':
      return `must have at most ${params.limit} items`;
    case 'uniqueItems':
      return `must not contain duplicates (items ${params.j} and ${params.i} are equal)`;
    case 'format':
      return formatErrors[params.format]?.(String(data)) ?? `must be a valid ${params.format}`;
    case 'pattern':
      return patternErrors[params.pattern] ?? `must match ${params.pattern}`;
    default:
      return message ?? 'is not valid';
  }
}

/** If two types are allowed, name only the first. The other is null, which means absent. */
function typeError(type: string, data: unknown): string {
  const expected = `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
  return type === 'string' && typeof data === 'number' ? `${expected}, so put the number in quotes` : expected;
}

/** The declared headers by their declared names; an empty header counts as absent (readings 3.5 and 7.2). */
export function declaredHeaders(headers: IncomingHttpHeaders, shape: TObject): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(shape.properties)) {
    const value = headers[name.toLowerCase()];
    if (typeof value === 'string' && value !== '') values[name] = headerText(value);
  }
  return values;
}

/** Node returns the bytes of a header as Latin-1; valid UTF-8 is decoded as UTF-8 (reading 7.2). */
function headerText(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : latin1;
}
