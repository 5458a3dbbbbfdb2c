import type { Schema } from '@shiplog/testing';

/** A valid value, from the examples in the document. */
export function exampleOf(schema: Schema): unknown {
  const { examples, enum: choices, properties = {}, type } = schema;
  const given = examples?.[0] ?? schema.default ?? choices?.[0];
  if (given !== undefined) return given;
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, exampleOf(each)]));
  return { string: 'x', integer: schema.minimum ?? 1, boolean: true, array: [] }[type ?? 'string'];
}

/** All members of a schema with valid values, as JSON text. */
export function membersOf({ properties = {} }: Schema): Map<string, string> {
  return new Map(Object.entries(properties).map(([name, each]) => [name, JSON.stringify(exampleOf(each))]));
}

/** The text of a JSON object with these members. A name may occur twice. */
export function jsonOf(members: Iterable<readonly [string, string]>): string {
  return `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`;
}
