import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A button that opens a small panel under itself; Escape and a press elsewhere close it. */
export function Menu({ title, children }: { readonly title: ComponentChildren; readonly children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const press = ({ target }: Event) => {
      const element = details.current;
      if (element?.open && !element.contains(target as Node)) element.open = false;
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const element = details.current;
    if (event.key !== 'Escape' || !element?.open) return;
    event.stopPropagation();
    element.open = false;
    element.querySelector('summary')?.focus();
  };
  return (
    <details ref={details} class="menu" onKeyDown={onKeyDown}>
      <summary class="chip">{title}</summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
