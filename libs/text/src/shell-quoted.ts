/** A text as one argument of a POSIX shell. Within single quotes, only the single quote is special. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
