import { Lexer, Parser } from 'yaml';

/** Far deeper than any workflow or configuration. */
const levelsMax = 100;

/**
 * Whether YAML nests too deeply to be parsed. A parser that recurses to the end of the stack doesn't always throw: if a
 * regular expression is compiled there, V8 aborts the process.
 */
export function nestsTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // A generator: nothing happens until its documents are read.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > levelsMax) return true;
  }
  return false;
}
