/**
 * Text as one line, with control and bidirectional characters spelled out, so that none turns it around.
 * @param {unknown} text
 */
export function plain(text) {
  return String(text)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
