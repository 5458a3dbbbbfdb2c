import { emptyIsAbsent, type FieldError, instantFault, parseInstant, patterns } from '@shiplog/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Judges a value; the faults it returns are empty where the value is fine. */
export type Validator = (value: unknown) => FieldError[];

/**
 * One compiler for everything that comes from outside: all faults at once, nothing coerced, nothing removed, no
 * default filled in (reading 1.2). Lengths count code points, which is Ajv's own rule.
 */
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, useDefaults: false, verbose: true });
ajv.addVocabulary([emptyIsAbsent]);
addFormats.default(ajv, { mode: 'full', formats: ['uri', 'uuid'] });
// The library's own date-time takes a space for the T, +0200, and second 60 in any minute.
ajv.addFormat('date-time', { validate: (text: string) => parseInstant(text) !== undefined });

export function compileValidator(schema: object): Validator {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).filter(isOwnFault).map(toFault));
}

/** A broken condition is told by what is wrong inside it. */
function isOwnFault({ keyword }: ErrorObject): boolean {
  return keyword !== 'if';
}

function toFault(error: ErrorObject): FieldError {
  return { pointer: error.instancePath + memberPointer(error), message: sentence(error) };
}

/** A missing or an unknown field is pointed at itself, not at its parent (reading 1.2). */
function memberPointer(error: ErrorObject): string {
  const member = error.params.missingProperty ?? error.params.additionalProperty;
  return typeof member === 'string' ? `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
}

/** What is wrong with a text that has not the form that it should have. */
const formatFaults: Readonly<Record<string, (text: string) => string | undefined>> = {
  'date-time': instantFault,
  uri: (text) =>
    /\s/.test(text)
      ? 'must be a URI, which has no spaces; write a space as %20'
      : 'must be an absolute URI with a scheme, such as https://ci.example.com/runs/7',
};

/** What is expected, in words that name no library. */
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
      return keyword === 'type' ? typeFault([params.type].flat()[0], data) : `${message}`;
    case 'enum':
      return `must be one of ${schema.enum?.join(', ')}`;
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'maxItems':
      return `must have at most ${params.limit} items`;
    case 'uniqueItems':
      return `must have no equal items (items ${params.j} and ${params.i} are equal)`;
    case 'format':
      return formatFaults[params.format]?.(String(data)) ?? `must be a valid ${params.format}`;
    case 'pattern':
      return params.pattern === patterns.storableText
        ? 'must not contain U+0000 or a lone surrogate'
        : `must match ${params.pattern}`;
    default:
      return message ?? 'is not valid';
  }
}

/** A list of types is a type or null, which counts as absent; nobody is asked to send that. */
function typeFault(type: string, data: unknown): string {
  const expected = `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
  return type === 'string' && typeof data === 'number' ? `${expected}, so put the number in quotes` : expected;
}
