/**
 * The text of one member of a valid JSON object, as sent; `undefined` if absent. Parsing and re-serializing would
 * change numbers beyond 2^53, `1.0`, escapes and key order (reading 7.1). The last of several duplicate members counts
 * (reading 1.1).
 */
export function memberText(text: string, name: string): string | undefined {
  let found: string | undefined;
  let at = afterSpace(text, afterSpace(text, 0) + 1);
  while (text[at] === '"') {
    const nameEnd = afterString(text, at);
    const valueStart = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const valueEnd = afterValue(text, valueStart);
    if (JSON.parse(text.slice(at, nameEnd)) === name) found = text.slice(valueStart, valueEnd);
    at = afterSpace(text, valueEnd);
    if (text[at] === ',') at = afterSpace(text, at + 1);
  }
  return found;
}

/** The same JSON on one line, without whitespace between tokens. */
export function compactText(text: string): string {
  let compact = '';
  let at = 0;
  while (at < text.length) {
    const start = at;
    if (text[at] === '"') at = afterString(text, at);
    else while (at < text.length && text[at] !== '"' && !isSpace(text, at)) at += 1;
    compact += text.slice(start, at);
    at = afterSpace(text, at);
  }
  return compact;
}

function isSpace(text: string, at: number): boolean {
  const character = text[at];
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text, at)) at += 1;
  return at;
}

function afterString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The end of a value: after its last bracket or quote, or the last character of a number or literal. */
function afterValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const character = text[at] ?? '';
    if (character === '"') {
      at = afterString(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    at += 1;
  } while (depth > 0 || !endsValue(text, at));
  return at;
}

function endsValue(text: string, at: number): boolean {
  const character = text[at];
  return character === undefined || character === ',' || character === '}' || character === ']' || isSpace(text, at);
}
