import { replaceUnsafe } from './safe-text.ts';

/**
 * Converts user-supplied text to Markdown that renders as the text itself, on one line: no markup, mention, reference
 * or link. Forges and chat tools look for mentions, references such as `#1` and bare URLs in the rendered text, where
 * backslashes have been removed, so these are broken up with a zero-width space instead.
 */
export function markdownText(text: string): string {
  return replaceUnsafe(text.replace(/\s+/g, ' '))
    .replace(/./gsu, (character, at: number) => escapeMarkdown(character, at > 0))
    .replace(/[@#!~&](?=[\p{L}\p{N}])|:(?=\/\/)|\b(?:www(?=\.)|GH(?=-\d))/giu, '$&\u200b');
}

/** Converts user-supplied text to inline code. */
export function markdownCode(text: string): string {
  return `\`${replaceUnsafe(text).replaceAll('`', '\ufffd')}\``;
}

/**
 * Escapes a character of Markdown text with a backslash if it is markup there. `-` and `+` are markup only outside
 * words, as list markers.
 */
export function escapeMarkdown(character: string, isInWord: boolean): string {
  const isMarkup = '\\`*_{}[]<>#|!~@&'.includes(character) || (!isInWord && '-+'.includes(character));
  return isMarkup ? `\\${character}` : character;
}
