import { escapeUnsafe } from '@shiplog/text';

const charactersMax = 300;
const zeroWidthSpace = '\u200b';

/** A target's replacement for a character with a special meaning. `isInWord`: it is between two letters or digits. */
export type Escape = (character: string, isInWord: boolean) => string;

export const plain: Escape = (character) => character;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Replaces characters by their HTML entities, if they have one. */
export function entity(characters: string): Escape {
  return (character) => (characters.includes(character) ? (entities[character] ?? character) : character);
}

/** Inserts a zero-width space after each of these characters, so that it doesn't begin markup. */
export function broken(characters: string): Escape {
  return (character) => (characters.includes(character) ? `${character}${zeroWidthSpace}` : character);
}

/**
 * Event text as a target may show it (relay §9.12): without mentions, links or hidden text, and with at most 300
 * characters, so that whole messages stay within the limits of their targets.
 */
export function shown(text: string, escapeCharacter: Escape): string {
  let made = '';
  for (const piece of piecesOf(text, escapeCharacter)) {
    if (made.length + piece.length > charactersMax) return `${made}…`;
    made += piece;
  }
  return made;
}

/**
 * Like `shown`, but without the length limit, for targets whose limits are known only to the author of the template.
 */
export function shownWhole(text: string, escapeCharacter: Escape): string {
  return piecesOf(text, escapeCharacter).join('');
}

function piecesOf(text: string, escapeCharacter: Escape): string[] {
  const characters = [...text];
  return characters.map((_, at) => pieceOf(characters, at, escapeCharacter));
}

function pieceOf(characters: readonly string[], at: number, escapeCharacter: Escape): string {
  const character = characters[at] ?? '';
  const escaped = escapeUnsafe(character);
  if (escaped !== character) return escaped;
  if (character === '@') return `@${zeroWidthSpace}`;
  const isScheme = character === ':' && characters[at + 1] === '/' && characters[at + 2] === '/';
  if (isScheme) return `:${zeroWidthSpace}`;
  // Email and chat programs turn text that begins like this into a link.
  if (character === '.' && /(^|[^\p{L}\p{N}])www$/iu.test(characters.slice(Math.max(0, at - 4), at).join('')))
    return `${zeroWidthSpace}.`;
  return escapeCharacter(character, isOfWord(characters[at - 1]) && isOfWord(characters[at + 1]));
}

function isOfWord(character = ''): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}

const urlCharactersMax = 2048;

/**
 * The URL of a run for use in a link: HTTP or HTTPS, without characters that end a link in Markdown, Slack or HTML.
 * `undefined` if there is no such URL.
 */
export function linkOf(runUrl: string | undefined): string | undefined {
  if (runUrl === undefined || !URL.canParse(runUrl)) return undefined;
  const { protocol, href, username, password } = new URL(runUrl);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  const safe = percentEncoded(href, /[()<>|"'\\`*_[\]{}^@]/g);
  return safe.length <= urlCharactersMax ? safe : undefined;
}

/** A link for a template, without characters that could end it or mention someone when it is part of a longer text. */
export function plainLink(link: string): string {
  return percentEncoded(new URL(link).href, /[<>|"'\\`@]/g);
}

function percentEncoded(text: string, marks: RegExp): string {
  return text.replace(marks, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
