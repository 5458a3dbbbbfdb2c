import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  parseDocument,
  Scalar,
  visit,
} from 'yaml';
import { Mistake } from './mistake.ts';
import { nestsTooDeep } from './yaml-nesting.ts';

/** What is wrong at a place of a file; line and column begin at 1. */
export interface FileMistake {
  readonly line: number;
  readonly column: number;
  /** Without its full stop. */
  readonly sentence: string;
}

interface File {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly mistakes: FileMistake[];
  /** Of all documents of the file. */
  readonly aliases: { count: number };
}

const aliasesMax = 100;
const rootPath = 'the file';

interface Parsed {
  readonly mistakes: readonly FileMistake[];
}

/**
 * YAML 1.2 without tags of its own, with at most 100 aliases. `mistakes` grows while the nodes are read; `root` is
 * missing where the text is no YAML.
 */
export function parseYaml(text: string): Parsed & { readonly root?: ConfigNode } {
  const { nodes, mistakes } = nodesOf(text, (options) => [parseDocument(text, options)]);
  const [root] = nodes;
  return { ...(root && { root }), mistakes };
}

/** The same of a file of several documents; `roots` are those that hold something. */
export function parseYamlStream(text: string): Parsed & { readonly roots: readonly ConfigNode[] } {
  const { nodes, mistakes } = nodesOf(text, (options) => [...parseAllDocuments(text, options)]);
  return { roots: nodes.filter((node) => !node.isEmpty), mistakes };
}

type Options = NonNullable<Parameters<typeof parseDocument>[1]>;

/** The library compares each name with all before it, which takes minutes for a large map: `refusedNames` does not. */
const strictly = {
  prettyErrors: false,
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  logLevel: 'error',
} as const;

/** A text may hold a fault in each of its characters, and most of an error's cost is its stack trace. */
export function withoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function nodesOf(
  text: string,
  parse: (options: Options) => readonly Document.Parsed[],
): { readonly nodes: readonly ConfigNode[]; readonly mistakes: readonly FileMistake[] } {
  const lines = new LineCounter();
  const atStart = (sentence: string) => ({ nodes: [], mistakes: [{ line: 1, column: 1, sentence }] });
  if (nestsTooDeep(text)) return atStart('this is no YAML: it nests too deep');
  let documents: readonly Document.Parsed[];
  try {
    documents = withoutStacks(() => parse({ lineCounter: lines, ...strictly }));
  } catch (error) {
    return atStart(`the file cannot be read as YAML (${(error as Error).message})`);
  }
  const mistakes: FileMistake[] = documents.flatMap((document) => mistakesOf(document, lines));
  const aliases = { count: 0 };
  const nodes =
    mistakes.length > 0
      ? []
      : documents.map(
          (document) => new ConfigNode({ document, lines, mistakes, aliases }, document.contents, rootPath, 0),
        );
  return { nodes, mistakes };
}

function mistakesOf(document: Document.Parsed, lines: LineCounter): FileMistake[] {
  const at = (offset: number, sentence: string): FileMistake => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, sentence };
  };
  const { errors, warnings, directives } = document;
  const { yaml } = directives;
  const mistakes = [
    ...[...errors, ...warnings].map(({ code, message, pos }) =>
      at(pos[0], explanations[code] ?? `this is no YAML: ${message}`),
    ),
    ...refusedNames(document).map(({ name, sentence }) => at(name.range?.[0] ?? 0, sentence)),
  ];
  if (!yaml.explicit || yaml.version === '1.2') return mistakes;
  const sentence = `the file says that it is YAML ${yaml.version}; it must be YAML 1.2`;
  return [...mistakes, { line: 1, column: 1, sentence }];
}

/** The names that a map has already, or that are merge keys, by which a small file stands for a large one. */
export function refusedNames(document: Document.Parsed): { readonly name: Scalar; readonly sentence: string }[] {
  const refused: { name: Scalar; sentence: string }[] = [];
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>();
      for (const { key: name } of items) {
        if (!isScalar(name)) continue;
        const isMerge = name.value === '<<' && name.type === Scalar.PLAIN;
        if (isMerge) refused.push({ name, sentence: 'merge keys are not accepted; write the members out' });
        else if (known.has(name.value)) refused.push({ name, sentence: twice });
        known.add(name.value);
      }
    },
  });
  return refused;
}

const twice = 'this name is there twice in one place; leave one of them out';

const explanations: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'this is a tag of YAML, which is not taken; a text that begins with "!" needs quotes',
};

/** A place of the file. Its readers note a mistake where the file holds something else, and give `undefined` then. */
export class ConfigNode {
  /** Such as `rules[0].service`. */
  readonly path: string;
  readonly #file: File;
  readonly #node: Node | undefined;
  readonly #nameOffset: number;
  readonly #offset: number;
  /** An alias that stands for nothing, which is noted already. */
  readonly #isLost: boolean;

  /** `nameOffset` is where its name stands, or what holds it if it has none. */
  constructor(file: File, node: Node | null, path: string, nameOffset: number) {
    this.path = path;
    this.#file = file;
    this.#nameOffset = nameOffset;
    this.#offset = node?.range?.[0] ?? nameOffset;
    this.#node = isAlias(node) ? this.#resolved(node) : (node ?? undefined);
    this.#isLost = isAlias(node) && !this.#node;
  }

  get line(): number {
    return this.#file.lines.linePos(this.#offset).line;
  }

  /** Notes a mistake: a clause that follows the name of this place. */
  refuse(clause: string): void {
    if (!this.#isLost) this.#note(clause, this.#offset);
  }

  /** The result of a function that may throw a `Mistake` about this place. */
  judge<Result>(take: () => Result): Result | undefined {
    try {
      return take();
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      this.refuse(error.message);
      return undefined;
    }
  }

  /** What is there if it is one value: text, a number, true, false or null. */
  get value(): unknown {
    return isScalar(this.#node) ? this.#node.value : undefined;
  }

  /** Text that is not empty. */
  text(): string | undefined {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    if (this.value === '') this.refuse('is empty; it must be text');
    else this.refuse('must be text; put it in quotes if it is meant to be');
    return undefined;
  }

  flag(): boolean | undefined {
    if (typeof this.value === 'boolean') return this.value;
    this.refuse('must be true or false');
    return undefined;
  }

  /** Whether there is nothing, or null. */
  get isEmpty(): boolean {
    return !this.#node || (isScalar(this.#node) && this.#node.value === null);
  }

  get isList(): boolean {
    return isSeq(this.#node);
  }

  /** Whether there are names with values. */
  get isNames(): boolean {
    return isMap(this.#node);
  }

  items(): ConfigNode[] {
    if (isSeq(this.#node)) {
      return this.#node.items.map((item, index) => this.#child(item as Node | null, `[${index}]`, this.#offset));
    }
    this.refuse('must be a list');
    return [];
  }

  /** Of a list of texts, or of one text. */
  texts(): string[] {
    const nodes = this.isList ? this.items() : [this];
    return nodes.flatMap((node) => node.text() ?? []);
  }

  /** Names and what stands behind them. */
  entries(): [name: string, node: ConfigNode][] {
    if (!isMap(this.#node)) {
      this.refuse('must be names with values');
      return [];
    }
    return this.#node.items.flatMap(({ key, value }) => {
      const offset = (key as Node | null)?.range?.[0] ?? this.#offset;
      if (isScalar(key) && typeof key.value === 'string') {
        const name = /^\w+$/.test(key.value) ? `.${key.value}` : `[${JSON.stringify(key.value)}]`;
        return [[key.value, this.#child(value as Node | null, name, offset)]];
      }
      this.#note('has a name that is no text; put it in quotes', offset);
      return [];
    });
  }

  /** What stands behind a name, in a place that may have any names; `undefined` where it has not this one. */
  member(name: string): ConfigNode | undefined {
    return this.entries().find(([other]) => other === name)?.[1];
  }

  /** The members of a place that knows these names only; `undefined` where it is no such place at all. */
  members<const Name extends string>(names: readonly Name[]): Partial<Record<Name, ConfigNode>> | undefined {
    if (!isMap(this.#node)) {
      this.refuse(`must be names with values: ${names.join(', ')}`);
      return undefined;
    }
    const found: Partial<Record<Name, ConfigNode>> = {};
    for (const [name, node] of this.entries()) {
      const known = names.find((one) => one === name);
      if (known === undefined) {
        node.#note(`is not known here; known are ${names.join(', ')}`, node.#nameOffset);
      } else found[known] = node;
    }
    return found;
  }

  #child(node: Node | null, name: string, nameOffset: number): ConfigNode {
    const path = this.path === rootPath ? name.replace(/^\./, '') : this.path + name;
    return new ConfigNode(this.#file, node, path, nameOffset);
  }

  #resolved(alias: Alias): Node | undefined {
    const file = this.#file;
    file.aliases.count += 1;
    if (file.aliases.count > aliasesMax) {
      const clause = `is one alias too many; at most ${aliasesMax} are taken`;
      if (file.aliases.count === aliasesMax + 1) this.#note(clause, this.#offset);
      return undefined;
    }
    const node = alias.resolve(file.document);
    if (!node) {
      const clause = `names the anchor "${alias.source}", which is not there; a text that begins with * needs quotes`;
      this.#note(clause, this.#offset);
    }
    return node;
  }

  #note(clause: string, offset: number): void {
    const { line, col } = this.#file.lines.linePos(offset);
    this.#file.mistakes.push({ line, column: col, sentence: `${this.path} ${clause}` });
  }
}
