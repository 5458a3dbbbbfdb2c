import { Lexer, Parser } from 'yaml';

/** Far deeper than any real workflow or configuration. */
const levelsMax = 100;

/**
 * Whether YAML is nested too deeply to parse. A parser that overflows the stack doesn't always throw: if V8 compiles a
 * regular expression at that point, it aborts the process.
 */
export function nestsTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // A generator: it parses nothing until a document is requested.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > levelsMax) return true;
  }
  return false;
}
