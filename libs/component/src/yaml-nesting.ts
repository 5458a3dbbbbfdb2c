import { Lexer, Parser } from 'yaml';

/** Far more than a workflow or a configuration needs. */
const levelsMax = 100;

/**
 * Whether YAML nests deeper than it is read. A reader that recurses to the end of the stack does not always throw: where a
 * regular expression is compiled there, V8 ends the process.
 */
export function nestsTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // It is a generator: nothing happens until its documents are taken.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > levelsMax) return true;
  }
  return false;
}
