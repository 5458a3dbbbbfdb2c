import { nilId } from '@shiplog/contract';

/** The part of JSON Schema that requests use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  /** `null` is also accepted: the document lists it as a second type. */
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

/** The part of an OpenAPI 3.1 document that tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<
      Record<string, { readonly type: string; readonly in: string; readonly name: string }>
    >;
    readonly headers: Readonly<Record<string, { readonly schema: { readonly type?: string } }>>;
  };
  readonly 'x-problems': readonly { readonly type: string; readonly status: number; readonly title: string }[];
}

export interface DocumentedOperation {
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface DocumentedResponse {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
}

/** One operation in a document, with the complete schema of its body. */
export interface Operation {
  readonly method: string;
  /** The path, with parameters as `{name}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly bodyRequired: boolean;
  /** The header for the key, if the operation requires one. */
  readonly keyHeader: string | undefined;
  /** The statuses in the document. */
  readonly statuses: readonly number[];
  readonly isStream: boolean;
}

/** Every operation in a program's own document, so that tests cover added operations without a list. */
export async function servedOperations(url: string): Promise<Operation[]> {
  return operationsOf((await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument);
}

/** A path whose parameter values are valid but don't name anything. */
export function filledPath(path: string): string {
  const values: Readonly<Record<string, string>> = { id: nilId, figure: 'incidents' };
  return path.replace(/\{([a-z_]+)\}/g, (_, name) => values[name] ?? 'github-actions');
}

export function operationsOf({ paths, components }: OpenApiDocument): Operation[] {
  /** A schema with its references resolved. */
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
