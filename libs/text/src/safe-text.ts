/**
 * Characters that can hide, reorder or break up text: control characters, format characters (such as zero-width and
 * bidirectional ones), unpaired surrogates, and line and paragraph separators.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes user-supplied text for a terminal, a chat or a log: unsafe characters become escapes such as `\u{202e}`. */
export function escapeUnsafe(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Replaces unsafe characters with U+FFFD, for readers who would not understand an escape. */
export function replaceUnsafe(text: string): string {
  return text.replace(unsafe, '\ufffd');
}

/**
 * Replaces unsafe characters with JSON escapes, which don't change the value. Unsafe characters occur only in strings.
 */
export function escapeUnsafeJson(json: string): string {
  return json.replace(unsafe, (character) => character.split('').map(jsonEscape).join(''));
}

/** Converts user-supplied text to one line: white space is collapsed, and unsafe characters are escaped. */
export function plain(text: string): string {
  return escapeUnsafe(text.replace(/\s+/g, ' '));
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
