import type { Answer, DocumentedResponse, OpenApiDocument, WireRequest } from '@shiplog/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const documentId = 'https://target.invalid/openapi.json';
const problemType = 'application/problem+json';

/**
 * Checks responses against the OpenAPI document that the target itself serves. A status, media type, body or header
 * that the document does not describe is an error in the response or in the document.
 */
export class DocumentCheck {
  readonly document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #templates: readonly { readonly path: string; readonly pattern: RegExp }[];

  constructor(document: OpenApiDocument) {
    this.document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, documentId);
    this.#templates = Object.keys(document.paths)
      .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((path) => ({
        path,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      }));
  }

  /** @throws Error that describes the difference from the document. */
  check(request: WireRequest, answer: Answer): void {
    const method = request.method ?? 'GET';
    const path = request.path.replace(/\?.*$/s, '');
    const call = `${method} ${request.path} → ${answer.status}`;
    const template = this.#templates.find(({ pattern }) => pattern.test(path))?.path;
    const documented = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = template === undefined ? undefined : this.document.paths[template]?.[documented];
    if (template === undefined || operation === undefined) {
      this.#checkUndocumented(call, path, answer);
      return;
    }
    const response = operation.responses[answer.status];
    if (!response) {
      throw new Error(`${call}: the document has only ${Object.keys(operation.responses).join(', ')}: ${answer.text}`);
    }
    this.#checkHeaders(call, response, answer);
    if (method === 'HEAD') return;
    const type = mediaType(answer);
    if (!response.content) {
      if (answer.text !== '') throw new Error(`${call}: the document has no body here: ${answer.text}`);
      return;
    }
    if (type === undefined || !(type in response.content)) {
      throw new Error(`${call}: is ${type}, the document says ${Object.keys(response.content).join(', ')}`);
    }
    if (answer.json === undefined) return;
    const parts = ['paths', template, documented, 'responses', String(answer.status), 'content', type, 'schema'];
    this.#checkShape(call, parts, answer.json);
  }

  /** The violations of the named schema in the document; empty if the value is valid. */
  faultsOf(schemaName: string, value: unknown): string[] {
    return this.#faults(['components', 'schemas', schemaName], value);
  }

  #checkUndocumented(call: string, path: string, answer: Answer): void {
    const type = mediaType(answer);
    if (type === problemType) {
      if (answer.json !== undefined) this.#checkShape(call, ['components', 'schemas', 'Problem'], answer.json);
      return;
    }
    const isPage = answer.status === 200 && (type !== 'application/json' || path === '/openapi.json');
    // The invariants check that only browsers get such a page.
    const isMissingPage = answer.status === 404 && type === 'text/html';
    if (!isPage && !isMissingPage)
      throw new Error(`${call}: the document does not have this operation: ${answer.text}`);
  }

  #checkHeaders(call: string, response: DocumentedResponse, answer: Answer): void {
    for (const name of Object.keys(response.headers ?? {})) {
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) continue;
      const isInteger = this.document.components.headers[name]?.schema.type === 'integer';
      const faults = this.#faults(['components', 'headers', name, 'schema'], isInteger ? Number(value) : value);
      if (faults.length > 0) throw new Error(`${call}: header ${name}: ${value}: ${faults.join('; ')}`);
    }
  }

  #checkShape(call: string, parts: readonly string[], value: unknown): void {
    const faults = this.#faults(parts, value);
    if (faults.length > 0) throw new Error(`${call}: ${faults.join('; ')} in ${JSON.stringify(value)}`);
  }

  #faults(parts: readonly string[], value: unknown): string[] {
    const pointer = parts
      .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
      .join('');
    const reference = `${documentId}#${pointer}`;
    const validate = this.#ajv.getSchema(reference) ?? this.#ajv.compile({ $ref: reference });
    if (validate(value)) return [];
    return (validate.errors ?? []).map((fault) => `${fault.instancePath || 'the body'} ${fault.message}`);
  }
}

/** The media type of a response without its parameters. */
export function mediaType(answer: Answer): string | undefined {
  return answer.headers['content-type']?.split(';')[0]?.trim();
}
