/** Control characters, separators of lines, and those that turn the direction of text. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const charactersMax = 300;
const zeroWidthSpace = '\u200b';

/** What a target writes for a character that means something to it. */
export type Escape = (character: string) => string;

export const plain: Escape = (character) => character;

/** Puts a backslash before each of the characters. */
export function backslash(characters: string): Escape {
  return (character) => (characters.includes(character) ? `\\${character}` : character);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Puts entities for those of the characters that have one. */
export function entity(characters: string): Escape {
  return (character) => (characters.includes(character) ? (entities[character] ?? character) : character);
}

/**
 * Text of strangers as a target may show it (relay §9.12): it mentions nobody, links nowhere and hides nothing. What it
 * becomes is at most 300 characters long, so that whole messages keep to the limits of their targets.
 */
export function shown(text: string, spell: Escape): string {
  const characters = [...text];
  let made = '';
  for (const [at, _character] of characters.entries()) {
    const piece = pieceOf(characters, at, spell);
    if (made.length + piece.length > charactersMax) return `${made}…`;
    made += piece;
  }
  return made;
}

function pieceOf(characters: readonly string[], at: number, spell: Escape): string {
  const character = characters[at] ?? '';
  if (unseen.test(character)) return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  if (character === '@') return `@${zeroWidthSpace}`;
  const isScheme = character === ':' && characters[at + 1] === '/' && characters[at + 2] === '/';
  return isScheme ? `:${zeroWidthSpace}` : spell(character);
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
  const safe = href.replace(/[()<>|"'\\`*_[\]{}^@]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return safe.length <= urlCharactersMax ? safe : undefined;
}
