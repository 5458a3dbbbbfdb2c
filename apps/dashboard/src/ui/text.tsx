import { plain } from '@shiplog/panels/files/dom.js';

/** A text from outside on one line: cut where there is no room, whole in its title, and never turning what is around it. */
export function Cut({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const shown = plain(text);
  return (
    <bdi class={`cut ${className}`} title={shown}>
      {shown}
    </bdi>
  );
}
