import { plain } from '@shiplog/text';

/** A text of at most so many characters is never cut; the tail of a longer one is never cut. */
const wholeSigns = 10;
const tailSigns = 8;

/** A version. Where there is no room for all of it, its middle is cut out, since names of builds differ at their ends. */
export function Version({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const shown = plain(text);
  if (shown.length <= wholeSigns) {
    return (
      <bdi class={`version ${className}`} data-version={text}>
        {shown}
      </bdi>
    );
  }
  const signs = [...shown];
  const tail = signs.slice(-tailSigns);
  return (
    <bdi class={`version long ${className}`} data-version={text}>
      <span class="version-head" style={{ '--tail': `${widthOf(tail)}ch` }}>
        {signs.slice(0, -tailSigns).join('')}
      </span>
      <span class="version-tail">{tail.join('')}</span>
    </bdi>
  );
}

/** In columns of a monospaced font; a character beyond ASCII may take two. */
function widthOf(signs: readonly string[]): number {
  return signs.reduce((sum, sign) => sum + (sign <= '~' ? 1 : 2), 0);
}
