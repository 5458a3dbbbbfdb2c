const lightMs = 1500;

/** Highlights an element briefly, unless the user prefers reduced motion. */
export function lightUp(element: Element | null): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent');
  element?.animate([{ boxShadow: `inset 0 0 0 2px ${accent}` }, { boxShadow: 'inset 0 0 0 2px transparent' }], lightMs);
}
