import { createHash } from 'node:crypto';

/** Without what the log cannot store: U+0000 and lone surrogates (fetcher §5.6). */
export function storable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '').replaceAll('\0', '');
}

/** The first characters of a text, as many as a limit allows; characters are code points. */
export function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : [...text].slice(0, charactersMax).join('');
}

const digestDigits = 6;

/** The same of a name: one that is cut ends in `~` and the beginning of its digest, so that two names stay two. */
export function cutName(name: string, charactersMax: number): string {
  if (cut(name, charactersMax) === name) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, digestDigits);
  return `${cut(name, charactersMax - 1 - digestDigits)}~${digest}`;
}
