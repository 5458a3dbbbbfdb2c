/** A scrolling element must be reachable by keyboard. */
export function reachable(element: HTMLElement | null): void {
  if (element) element.tabIndex = 0;
}
