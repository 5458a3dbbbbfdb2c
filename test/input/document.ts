/** As much of JSON Schema as the shapes of requests use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  /** `null` is taken as well: the list of types that the document has is that type and this. */
  readonly nullable?: boolean;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** What a program's OpenAPI document says, as far as requests are made from it. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name: string }>>;
  };
  readonly 'x-problems': readonly { readonly type: string; readonly status: number; readonly title: string }[];
}

interface DocumentedOperation {
  readonly parameters: readonly Parameter[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** One operation of the document, with its body's schema in full. */
export interface Operation {
  readonly method: string;
  /** Path parameters are written `{name}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly bodyRequired: boolean;
  /** The header of the key that it takes. */
  readonly keyHeader: string | undefined;
  /** The statuses that the document names. */
  readonly statuses: readonly number[];
  readonly isStream: boolean;
}

export function operationsOf({ paths, components }: Document): Operation[] {
  /** A schema with what it refers to in its place. */
  const resolved = (schema: Schema): Schema => {
    const whole = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (!whole) throw new Error(`the document has no ${schema.$ref}`);
    const [type, ...others] = [whole.type ?? []].flat();
    const { items, properties } = whole;
    return {
      ...whole,
      ...(type && { type, nullable: others.length > 0 }),
      ...(items && { items: resolved(items) }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, resolved(each)])),
      }),
    };
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters, security, requestBody, responses }]) => {
      const [scheme] = security.flatMap(Object.keys);
      return {
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((parameter) => ({ ...parameter, schema: resolved(parameter.schema) })),
        body: requestBody && resolved(requestBody.content['application/json'].schema),
        bodyRequired: requestBody?.required ?? false,
        keyHeader: scheme === undefined ? undefined : components.securitySchemes[scheme]?.name,
        statuses: Object.keys(responses).map(Number).filter(Number.isInteger),
        isStream: 'text/event-stream' in (responses['200']?.content ?? {}),
      };
    }),
  );
}

/** A value that a schema takes, from what the document gives as examples. */
export function exampleOf(schema: Schema): unknown {
  const { examples, enum: choices, properties = {}, type } = schema;
  const given = examples?.[0] ?? schema.default ?? choices?.[0];
  if (given !== undefined) return given;
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, exampleOf(each)]));
  return { string: 'x', integer: schema.minimum ?? 1, boolean: true, array: [] }[type ?? 'string'];
}

/** The members of a valid body with everything that its schema has, each as JSON text. */
export function membersOf({ properties = {} }: Schema): Map<string, string> {
  return new Map(Object.entries(properties).map(([name, each]) => [name, JSON.stringify(exampleOf(each))]));
}

/** An object of members as JSON text; names may come twice. */
export function jsonOf(members: Iterable<readonly [string, string]>): string {
  return `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`;
}
