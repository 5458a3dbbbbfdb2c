import { replaceUnsafe } from './safe-text.ts';

/**
 * User-supplied text as Markdown that renders as the text itself, on one line: no markup, mention, reference or link.
 * Forges and chats look for mentions, references such as `#1` and bare addresses in the rendered text, which has no
 * backslashes, so a zero-width space breaks these.
 */
export function markdownText(text: string): string {
  return replaceUnsafe(text.replace(/\s+/g, ' '))
    .replace(/./gsu, (character, at: number) => escapeMarkdown(character, at > 0))
    .replace(/[@#!~&](?=[\p{L}\p{N}])|:(?=\/\/)|\b(?:www(?=\.)|GH(?=-\d))/giu, '$&\u200b');
}

/** User-supplied text as inline code. */
export function markdownCode(text: string): string {
  return `\`${replaceUnsafe(text).replaceAll('`', '\ufffd')}\``;
}

/** A character of Markdown text, with a backslash if it is markup there. `-` and `+` are only outside words, as list marks. */
export function escapeMarkdown(character: string, isInWord: boolean): string {
  const isMarkup = '\\`*_{}[]<>#|!~@&'.includes(character) || (!isInWord && '-+'.includes(character));
  return isMarkup ? `\\${character}` : character;
}
