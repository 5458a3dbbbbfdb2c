/** A position in a text. As in editors, both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * The position of the first syntax error in a text that `JSON.parse` rejects. `JSON.parse` reports positions only for
 * some errors, and its messages differ between versions of Node.
 */
export function jsonErrorPosition(text: string): Position {
  const before = text.slice(0, jsonErrorOffset(text)).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

type Kind = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'other';
type Expected = 'value' | 'first-value' | 'name' | 'first-name' | 'colon' | 'after-value';

const space = /[ \t\r\n]*/y;
const token =
  /[{}[\]:,]|"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/uy;

/** Reads tokens until it finds one that JSON does not allow at that position. */
function jsonErrorOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected | undefined = 'value';
  for (let at = 0; ; ) {
    at = skip(space, text, at);
    const end = skip(token, text, at);
    expected = end > at ? step(expected, kindOf(text.charAt(at)), open) : undefined;
    if (expected === undefined) return at;
    at = end;
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function kindOf(first: string): Kind {
  if (first === '"') return 'string';
  return '{}[]:,'.includes(first) ? (first as Kind) : 'other';
}

/** What is expected after the token; `undefined` if the token is not allowed. Updates `open`, the open brackets. */
function step(expected: Expected, kind: Kind, open: ('{' | '[')[]): Expected | undefined {
  switch (kind) {
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case ',':
      if (expected !== 'after-value' || open.length === 0) return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    case '}':
      return open.pop() === '{' && (expected === 'first-name' || expected === 'after-value')
        ? 'after-value'
        : undefined;
    case ']':
      return open.pop() === '[' && (expected === 'first-value' || expected === 'after-value')
        ? 'after-value'
        : undefined;
    case 'string':
      if (expected === 'name' || expected === 'first-name') return 'colon';
      return takesValue(expected) ? 'after-value' : undefined;
    case 'other':
      return takesValue(expected) ? 'after-value' : undefined;
    default:
      if (!takesValue(expected)) return undefined;
      open.push(kind);
      return kind === '{' ? 'first-name' : 'first-value';
  }
}

function takesValue(expected: Expected): boolean {
  return expected === 'value' || expected === 'first-value';
}
