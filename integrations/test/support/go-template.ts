type Value = unknown;

/**
 * Renders the part of Go templates with sprig functions that the Argo CD templates use: members, calls, pipes and
 * brackets.
 */
export function render(template: string, dot: Value): string {
  return template.replace(/\{\{(.*?)\}\}/g, (_, pipe: string) => String(pipeline(tokensOf(pipe), dot)));
}

const functions: Readonly<Record<string, (...args: Value[]) => Value>> = {
  dict: () => ({}),
  default: (fallback, given) => (given === undefined || given === null || given === '' ? fallback : given),
  index: (map, key) => (map as Record<string, Value>)[String(key)],
  toJson: (value) => JSON.stringify(value),
  trunc: (length, text) => String(text).slice(0, Number(length)),
  printf: (format, ...args) => String(format).replace(/%s/g, () => String(args.shift())),
};

function tokensOf(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[()|]|[^\s()|]+/g) ?? [];
}

/** Consumes the tokens up to the end or a closing bracket. */
function pipeline(tokens: string[], dot: Value): Value {
  let piped: Value[] = [];
  for (;;) {
    const [first = '', ...args] = termsOf(tokens, dot);
    const called = typeof first === 'object' && first !== null && 'call' in first ? (first as Call).call : undefined;
    piped = [called ? called(...args, ...piped) : first];
    if (tokens.shift() !== '|') return piped[0];
  }
}

interface Call {
  readonly call: (...args: Value[]) => Value;
}

function termsOf(tokens: string[], dot: Value): Value[] {
  const terms: Value[] = [];
  while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') terms.push(term(tokens, dot));
  return terms;
}

function term(tokens: string[], dot: Value): Value {
  const token = tokens.shift() ?? '';
  if (token === '(') return pipeline(tokens, dot);
  if (token.startsWith('"')) return JSON.parse(token);
  if (/^\d+$/.test(token)) return Number(token);
  if (token.startsWith('.')) {
    const names = token.split('.').filter((name) => name !== '');
    // Go fails for a member of a missing value.
    return names.reduce<Value>((value, name) => (value as Record<string, Value>)[name], dot);
  }
  const call = functions[token];
  // A function without arguments, such as dict within a call.
  if (token === 'dict') return {};
  if (!call) throw new Error(`there is no function ${token}`);
  return { call };
}
