import { isMap, isScalar, isSeq, type Node, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml';

/** The members of a key as the file writes them. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly expires?: string;
  readonly may: Readonly<Record<string, unknown>>;
}

/** The lines of an entry in the list `keys`. */
export function keyEntryText(entry: KeyEntry): string {
  return indented(inBlock(entry), '  ');
}

/**
 * Adds a key to the text of a valid access file. All other bytes stay the same, including comments and order.
 * `undefined` if the text has no place for a key.
 */
export function withKey(text: string, entry: KeyEntry): string | undefined {
  const { contents, errors } = parseDocument(text);
  if (errors.length > 0 || !isMap(contents)) return undefined;
  const keys = contents.items.find(({ key }) => isScalar(key) && key.value === 'keys')?.value;
  if (isSeq(keys)) return keys.flow ? inFlowList(text, keys, entry) : inBlockList(text, keys, entry);
  return contents.flow ? inFlowObject(text, contents, entry) : atEnd(text, contents, entry);
}

function inBlock(entry: KeyEntry): string {
  return stringify([entry], { lineWidth: 0, collectionStyle: 'any' });
}

function indented(lines: string, indent: string): string {
  return lines.replace(/^(?=.)/gm, indent);
}

/** After the last item, at the indentation of the list. */
function inBlockList(text: string, keys: YAMLSeq, entry: KeyEntry): string {
  const last = endOf(keys.items.at(-1) as Node | undefined) ?? endOf(keys) ?? text.length;
  const start = keys.range?.[0] ?? 0;
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  return inserted(text, lineEnd(text, last), indented(inBlock(entry), indent));
}

/** After the last member of the file, which may be followed by comments. */
function atEnd(text: string, contents: YAMLMap, entry: KeyEntry): string {
  const last = contents.items.at(-1)?.value as Node | undefined;
  return inserted(text, lineEnd(text, endOf(last) ?? text.length), `keys:\n${keyEntryText(entry)}`);
}

function inFlowList(text: string, keys: YAMLSeq, entry: KeyEntry): string {
  return beforeBracket(text, keys, JSON.stringify(entry));
}

function inFlowObject(text: string, contents: YAMLMap, entry: KeyEntry): string {
  return beforeBracket(text, contents, `"keys": [${JSON.stringify(entry)}]`);
}

/** Before the closing bracket of a collection in flow style, after its last item. */
function beforeBracket(text: string, collection: YAMLSeq | YAMLMap, item: string): string {
  const close = (collection.range?.[1] ?? text.length) - 1;
  const last = collection.items.at(-1);
  const node = (last && 'value' in (last as object) && !isScalar(last) ? (last as { value: Node }).value : last) as
    | Node
    | undefined;
  const after = endOf(node) ?? close;
  const hasComma = text.slice(after, close).replace(/#.*/g, '').includes(',');
  const at = hasComma ? after + text.slice(after).indexOf(',') + 1 : after;
  return `${text.slice(0, at)}${last && !hasComma ? ', ' : ''}${hasComma ? ' ' : ''}${item}${text.slice(at)}`;
}

/** Where a node's value ends, before the comments that follow it. */
function endOf(node: Node | null | undefined): number | undefined {
  return node?.range?.[1];
}

/** The beginning of the line after a position, so that a comment after the value stays with it. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function inserted(text: string, at: number, lines: string): string {
  const before = text.slice(0, at);
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${gap}${lines}${text.slice(at)}`;
}
