/** Control characters, the marks that turn the direction of writing, and characters without a width. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text of a stranger for a terminal: what could move the cursor or hide text is shown as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** JSON that says the same and can be shown on a terminal: such characters stand only in its texts, where JSON has escapes. */
export function printableJson(json: string): string {
  return json.replace(unsafe, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
