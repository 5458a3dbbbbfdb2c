/**
 * Event text that stays text in Markdown: no mark, mention, reference or address of its own, on one line.
 *
 * Forges and chats look for mentions, references such as `#1` and bare addresses in what they draw, where a backslash is
 * gone already. A zero-width space ends these.
 */
export function markdownText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD')
    .replace(/[\\`*_{}[\]<>#|!~@&]|^[-+]/g, '\\$&')
    .replace(/[@#!~&](?=[\p{L}\p{N}])|:(?=\/\/)|\b(?:www(?=\.)|GH(?=-\d))/giu, '$&\u200b');
}
