import { escapeUnsafe } from '@shiplog/text';

const charactersMax = 300;
const zeroWidthSpace = '\u200b';

/** What a target writes for a character that means something to it. `isInWord`: it is between two letters or digits. */
export type Escape = (character: string, isInWord: boolean) => string;

export const plain: Escape = (character) => character;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Puts entities for those of the characters that have one. */
export function entity(characters: string): Escape {
  return (character) => (characters.includes(character) ? (entities[character] ?? character) : character);
}

/** Puts a zero-width space after each of the characters, which ends the mark that they begin. */
export function broken(characters: string): Escape {
  return (character) => (characters.includes(character) ? `${character}${zeroWidthSpace}` : character);
}

/**
 * Event text as a target may show it (relay §9.12): it mentions nobody, links nowhere and hides nothing. What it becomes is
 * at most 300 characters long, so that whole messages keep to the limits of their targets.
 */
export function shown(text: string, escapeCharacter: Escape): string {
  let made = '';
  for (const piece of piecesOf(text, escapeCharacter)) {
    if (made.length + piece.length > charactersMax) return `${made}…`;
    made += piece;
  }
  return made;
}

/** The same at its full length, for a target whose limits only the author of its template knows. */
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
  // Mail programs and chats link a bare address that begins like this.
  if (character === '.' && /(^|[^\p{L}\p{N}])www$/iu.test(characters.slice(Math.max(0, at - 4), at).join('')))
    return `${zeroWidthSpace}.`;
  return escapeCharacter(character, isOfWord(characters[at - 1]) && isOfWord(characters[at + 1]));
}

function isOfWord(character = ''): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}

const urlCharactersMax = 2048;

/**
 * The address of a run as a link may have it: http or https, without what ends a link in Markdown, in Slack or in HTML.
 * `undefined` where it has none.
 */
export function linkOf(runUrl: string | undefined): string | undefined {
  if (runUrl === undefined || !URL.canParse(runUrl)) return undefined;
  const { protocol, href, username, password } = new URL(runUrl);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  const safe = percentEncoded(href, /[()<>|"'\\`*_[\]{}^@]/g);
  return safe.length <= urlCharactersMax ? safe : undefined;
}

/** A link for a template: without what would end it or mention someone in the middle of a text. */
export function plainLink(link: string): string {
  return percentEncoded(new URL(link).href, /[<>|"'\\`@]/g);
}

function percentEncoded(text: string, marks: RegExp): string {
  return text.replace(marks, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
