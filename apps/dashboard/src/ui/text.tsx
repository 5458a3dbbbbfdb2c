import { plain } from '@shiplog/text';

/** User-supplied text on one line, truncated if it doesn't fit. The title has the full text. */
export function Cut({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const shown = plain(text);
  return (
    <bdi class={`cut ${className}`} title={shown}>
      {shown}
    </bdi>
  );
}
