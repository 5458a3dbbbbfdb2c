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
import { withoutStacks } from './without-stacks.ts';
import { nestsTooDeep } from './yaml-nesting.ts';

/** An error with its position in a file. Line and column start at 1. */
export interface FileMistake {
  readonly line: number;
  readonly column: number;
  /** Without a full stop. */
  readonly sentence: string;
}

interface File {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly mistakes: FileMistake[];
  readonly aliases: { count: number; readonly max: number };
}

const aliasesAllowed = 100;
const rootPath = 'the file';

interface Parsed {
  readonly mistakes: readonly FileMistake[];
}

/**
 * YAML 1.2 without custom tags, with at most 100 aliases by default. `mistakes` collects errors while the nodes are
 * read; `root` is missing if the text isn't YAML.
 */
export function parseYaml(text: string, aliasesMax = aliasesAllowed): Parsed & { readonly root?: ConfigNode } {
  const { nodes, mistakes } = nodesOf(text, (options) => [parseDocument(text, options)], aliasesMax);
  const [root] = nodes;
  return { ...(root && { root }), mistakes };
}

/** Parses a file with several documents; `roots` contains the non-empty ones. */
export function parseYamlStream(text: string): Parsed & { readonly roots: readonly ConfigNode[] } {
  const { nodes, mistakes } = nodesOf(text, (options) => [...parseAllDocuments(text, options)]);
  return { roots: nodes.filter((node) => !node.isEmpty), mistakes };
}

type Options = NonNullable<Parameters<typeof parseDocument>[1]>;

/**
 * Disabled because the library compares each name with all earlier ones, which takes minutes for a large map.
 * `refusedNames` is faster.
 */
const strictly = {
  prettyErrors: false,
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  logLevel: 'error',
} as const;

function nodesOf(
  text: string,
  parse: (options: Options) => readonly Document.Parsed[],
  aliasesMax = aliasesAllowed,
): { readonly nodes: readonly ConfigNode[]; readonly mistakes: readonly FileMistake[] } {
  const lines = new LineCounter();
  const atStart = (sentence: string) => ({ nodes: [], mistakes: [{ line: 1, column: 1, sentence }] });
  if (nestsTooDeep(text)) return atStart('invalid YAML: nested too deeply');
  let documents: readonly Document.Parsed[];
  try {
    documents = withoutStacks(() => parse({ lineCounter: lines, ...strictly }));
  } catch (error) {
    return atStart(`the file isn't valid YAML (${(error as Error).message})`);
  }
  const mistakes: FileMistake[] = documents.flatMap((document) => mistakesOf(document, lines));
  const aliases = { count: 0, max: aliasesMax };
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
      at(pos[0], explanations[code] ?? `invalid YAML: ${message}`),
    ),
    ...refusedNames(document).map(({ name, sentence }) => at(name.range?.[0] ?? 0, sentence)),
  ];
  if (!yaml.explicit || yaml.version === '1.2') return mistakes;
  const sentence = `the file declares YAML ${yaml.version}; it must be YAML 1.2`;
  return [...mistakes, { line: 1, column: 1, sentence }];
}

/** Finds duplicate names and merge keys. With merge keys, a small file can expand to a large one. */
export function refusedNames(document: Document.Parsed): { readonly name: Scalar; readonly sentence: string }[] {
  const refused: { name: Scalar; sentence: string }[] = [];
  visit(document, {
    Map(_, { items }) {
      const known = new Set<unknown>();
      for (const { key: name } of items) {
        if (!isScalar(name)) continue;
        const isMerge = name.value === '<<' && name.type === Scalar.PLAIN;
        if (isMerge) refused.push({ name, sentence: 'merge keys are not supported; write the members out' });
        else if (known.has(name.value)) refused.push({ name, sentence: 'this name appears twice; remove one' });
        known.add(name.value);
      }
    },
  });
  return refused;
}

const explanations: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'the file has a second document; it must have only one',
  TAG_RESOLVE_FAILED: 'YAML tags are not supported; quote text that begins with "!"',
};

/** Messages truncate a longer name, because it may be a misplaced secret. */
const nameShownMax = 40;
const nameCut = 12;

/** A node of the file. For an unexpected value, its methods record an error and return `undefined`. */
export class ConfigNode {
  /** Such as `rules[0].service`. */
  readonly path: string;
  readonly #file: File;
  readonly #node: Node | undefined;
  readonly #nameOffset: number;
  readonly #offset: number;
  /** An alias without an anchor. The parser has already recorded this error. */
  readonly #isLost: boolean;

  /** `nameOffset`: the offset of its name, or of its parent if it has none. */
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

  /** Records an error: a clause that follows this node's name. */
  refuse(clause: string): void {
    if (!this.#isLost) this.#note(clause, this.#offset);
  }

  /** Returns the result of a function that may throw a `Mistake` about this node. */
  judge<Result>(take: () => Result): Result | undefined {
    try {
      return take();
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      this.refuse(error.message);
      return undefined;
    }
  }

  /** A scalar: a string, a number, true, false or null. */
  get value(): unknown {
    return isScalar(this.#node) ? this.#node.value : undefined;
  }

  /** A scalar as written in the file, without quotes; `value` may have lost digits of a number. */
  get source(): string | undefined {
    return isScalar(this.#node) ? this.#node.source : undefined;
  }

  /** Non-empty text. */
  text(): string | undefined {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    if (this.value === '') this.refuse('is empty; it must be text');
    else this.refuse('must be text; quote it if it is');
    return undefined;
  }

  flag(): boolean | undefined {
    if (typeof this.value === 'boolean') return this.value;
    this.refuse('must be true or false');
    return undefined;
  }

  /** Whether the node is empty or null. */
  get isEmpty(): boolean {
    return !this.#node || (isScalar(this.#node) && this.#node.value === null);
  }

  get isList(): boolean {
    return isSeq(this.#node);
  }

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

  /** A list of strings; a single string is returned as a list of one. */
  texts(): string[] {
    const nodes = this.isList ? this.items() : [this];
    return nodes.flatMap((node) => node.text() ?? []);
  }

  entries(): [name: string, node: ConfigNode][] {
    if (!isMap(this.#node)) {
      this.refuse('must be an object');
      return [];
    }
    return this.#node.items.flatMap(({ key, value }) => {
      const offset = (key as Node | null)?.range?.[0] ?? this.#offset;
      if (isScalar(key) && typeof key.value === 'string') {
        const text = key.value.length > nameShownMax ? `${key.value.slice(0, nameCut)}…` : key.value;
        const name = /^\w+$/.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`;
        return [[key.value, this.#child(value as Node | null, name, offset)]];
      }
      this.#note("has a name that isn't text; quote it", offset);
      return [];
    });
  }

  /** The value of a member in an object whose names are not fixed; `undefined` if it is absent. */
  member(name: string): ConfigNode | undefined {
    return this.entries().find(([other]) => other === name)?.[1];
  }

  /** The members of an object that may have only these names; `undefined` if it isn't an object. */
  members<const Name extends string>(names: readonly Name[]): Partial<Record<Name, ConfigNode>> | undefined {
    if (!isMap(this.#node)) {
      this.refuse(`must be an object with ${names.join(', ')}`);
      return undefined;
    }
    const found: Partial<Record<Name, ConfigNode>> = {};
    for (const [name, node] of this.entries()) {
      const known = names.find((one) => one === name);
      if (known === undefined) {
        node.#note(`is not known here; known names: ${names.join(', ')}`, node.#nameOffset);
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
    const { count, max } = file.aliases;
    if (count > max) {
      const clause =
        max === 0 ? 'is an alias; write the value out' : `is one alias too many; at most ${max} are allowed`;
      if (count === max + 1) this.#note(clause, this.#offset);
      return undefined;
    }
    const node = alias.resolve(file.document);
    if (!node) {
      const clause = `names the anchor "${alias.source}", which doesn't exist; quote text that begins with *`;
      this.#note(clause, this.#offset);
    }
    return node;
  }

  #note(clause: string, offset: number): void {
    const { line, col } = this.#file.lines.linePos(offset);
    this.#file.mistakes.push({ line, column: col, sentence: `${this.path} ${clause}` });
  }
}
