import { plain } from '@shiplog/text';

/** Foreign text on one line: cut where there is no room, whole in its title, and isolated in its direction of writing. */
export function Cut({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const shown = plain(text);
  return (
    <bdi class={`cut ${className}`} title={shown}>
      {shown}
    </bdi>
  );
}
