import { plain } from '@shiplog/text';

/** User-supplied text on one line: truncated if it doesn't fit, complete in its title, with its own text direction. */
export function Cut({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const shown = plain(text);
  return (
    <bdi class={`cut ${className}`} title={shown}>
      {shown}
    </bdi>
  );
}
