import { nilId } from '@shiplog/contract';

/** One operation that a service says it serves. */
export interface ServedOperation {
  readonly method: string;
  /** Path parameters are written `{name}`. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly takesBody: boolean;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

interface OpenApiOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: object;
}

/** Every operation of the service's own OpenAPI document: what is added there is tested without being listed here. */
export async function servedOperations(url: string): Promise<ServedOperation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      takesBody: requestBody !== undefined,
    })),
  );
}

/** A path with valid values for its parameters. */
export function filledPath(path: string): string {
  return path.replace(/\{([a-z_]+)\}/g, (_, name) => (name === 'id' ? nilId : 'github-actions'));
}
