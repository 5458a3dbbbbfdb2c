import { plain } from '@shiplog/text';

/** A version of up to this length is never truncated, nor is a tail of this length of a longer version. */
const wholeCharacters = 10;
const tailCharacters = 8;

/** A version. If it doesn't fit, its middle is omitted, because build names differ at their ends. */
export function Version({ text }: { readonly text: string }) {
  const shown = plain(text);
  if (shown.length <= wholeCharacters) {
    return (
      <bdi class="version" data-version={text}>
        {shown}
      </bdi>
    );
  }
  const characters = [...shown];
  const tail = characters.slice(-tailCharacters);
  return (
    <bdi class="version long" data-version={text}>
      <span class="version-head" style={{ '--tail': `${widthOf(tail)}ch` }}>
        {characters.slice(0, -tailCharacters).join('')}
      </span>
      <span>{tail.join('')}</span>
    </bdi>
  );
}

/** The width in columns of a monospaced font. A character beyond ASCII may need two columns. */
function widthOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + (character <= '~' ? 1 : 2), 0);
}
