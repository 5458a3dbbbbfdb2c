import type { Answer, HttpCall, OpenApiDocument } from '@shiplog/testing';
import { DocumentCheck } from '../../conformance/support/document-check.ts';
import type { Case, Subject } from './cases.ts';
import type { WireCase } from './wire-cases.ts';

/** Malformed HTTP is rejected before it reaches the API. The problem has no kind and no path (reading 1.9). */
const belowHttp = [400, 408, 431];

interface Problem {
  readonly [member: string]: unknown;
  readonly errors?: readonly { readonly pointer: string }[];
}

/** Compares responses with the case and with the program's own OpenAPI document. */
export class Verdict {
  readonly #document: OpenApiDocument;
  readonly #check: DocumentCheck;
  readonly #keys: readonly string[];

  constructor({ document, keys }: Pick<Subject, 'keys'> & { readonly document: OpenApiDocument }) {
    this.#document = document;
    this.#check = new DocumentCheck(document);
    this.#keys = Object.values(keys);
  }

  /** The faults in a response. */
  faultsOf({ call, statuses, pointers, allow }: Case, answer: Answer): string[] {
    const { status, headers, text } = answer;
    if (!statuses.includes(status)) return [`is ${status}, not ${statuses.join(' or ')}: ${text.slice(0, 200)}`];
    return [
      ...this.#problemFaults(answer, call),
      ...(belowHttp.includes(status) ? [] : this.#undocumented(call, answer)),
      ...(allow ? differences('Allow', headers.allow?.split(', '), allow) : []),
      ...(status === 422 && pointers && call.method !== 'HEAD'
        ? differences(
            'the pointers',
            (answer.json as Problem).errors?.map(({ pointer }) => pointer),
            pointers,
          )
        : []),
    ];
  }

  /** The faults in all responses on a connection. */
  faultsOfAll({ call, answers: expected }: WireCase, answers: readonly Answer[]): string[] {
    const statuses = answers.map(({ status }) => status).join(' ');
    if (!expected.test(statuses)) return [`is ${statuses || 'nothing'}, not ${expected.source}`];
    return answers.flatMap((answer) => this.#problemFaults(answer, call));
  }

  #problemFaults({ status, headers, text, json }: Answer, { method, path }: HttpCall): string[] {
    if (this.#keys.some((key) => text.includes(key))) return ['contains a key'];
    if (status < 400) return [];
    if (headers['content-type'] !== 'application/problem+json') return [`is a ${headers['content-type']}`];
    if (method === 'HEAD') return text === '' ? [] : ['has a body'];
    const problem = json as Problem | undefined;
    if (!problem) return [`is not a JSON object: ${text.slice(0, 200)}`];
    const members = ['type', 'title', 'status', 'detail', 'instance', ...(status === 422 ? ['errors'] : [])];
    return [
      ...this.#check.faultsOf('Problem', problem),
      ...differences('the members', Object.keys(problem), members),
      ...(belowHttp.includes(status) ? [] : this.#kindFaults(problem, path)),
      ...(problem.status === status && problem.detail ? [] : [`does not say what is wrong: ${text}`]),
    ];
  }

  /** Checks that the kind is in the document, and that `instance` is the path as sent (reading 8.4). */
  #kindFaults({ type, title, status, instance }: Problem, path: string): string[] {
    const kind = this.#document['x-problems'].find((known) => known.type === type);
    if (!kind) return [`its type ${type} is not in the document`];
    const own = [title, status, instance].join(' ');
    const due = [kind.title, kind.status, path.replace(/\?.*$/s, '')].join(' ');
    return own === due ? [] : [`says ${own}, not ${due}`];
  }

  #undocumented({ method, path }: HttpCall, answer: Answer): string[] {
    try {
      this.#check.check({ method, path }, answer);
      return [];
    } catch (error) {
      return [(error as Error).message.slice(0, 300)];
    }
  }
}

/** The differences between two lists that should be equal as sets. */
function differences(what: string, own: readonly string[] = [], due: readonly string[]): string[] {
  const [one, other] = [own, due].map((list) => JSON.stringify([...new Set(list)].sort()));
  return one === other ? [] : [`${what} are ${one?.slice(0, 200)}, not ${other?.slice(0, 200)}`];
}
