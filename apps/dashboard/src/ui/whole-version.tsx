import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { endAll } from '../state/store.ts';
import { listen } from './listen.ts';

interface Tip {
  readonly versions: readonly string[];
  readonly under: DOMRect;
}

const gapPx = 4;
/** Elements that take the focus and contain versions. */
const holders = '.cell, .need, .event-line, .deployment-node';

/** A tooltip with the full text of truncated versions under the pointer or in the focused element. */
export function WholeVersion() {
  const [tip, setTip] = useState<Tip>();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const point = ({ target }: Event) => setTip(tipOf((target as Element).closest('[data-version]')));
    const focus = ({ target }: Event) => {
      const focused = target as Element;
      setTip(focused.matches(':focus-visible') ? tipOf(focused.closest(holders)) : undefined);
    };
    const hide = () => setTip(undefined);
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    const handlers = { pointerover: point, focusin: focus, focusout: hide, pointerdown: hide, keydown: press };
    return endAll(listen(document, handlers), listen(document, { scroll: hide }, { capture: true, passive: true }));
  }, []);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box || !tip) return;
    const { left, top, bottom } = tip.under;
    const isRoomBelow = bottom + gapPx + box.offsetHeight <= innerHeight;
    box.style.left = `${Math.max(gapPx, Math.min(left, innerWidth - box.offsetWidth - gapPx))}px`;
    box.style.top = `${isRoomBelow ? bottom + gapPx : top - gapPx - box.offsetHeight}px`;
  }, [tip]);
  return tip ? (
    <div ref={element} class="whole-version mono" role="tooltip">
      {tip.versions.map((version) => (
        <bdi key={version}>{version}</bdi>
      ))}
    </div>
  ) : null;
}

/** The tooltip for the truncated versions in an element; `undefined` if no version is truncated. */
function tipOf(element: Element | null): Tip | undefined {
  if (!element) return undefined;
  const heads = [...element.querySelectorAll('.version-head')].filter((head) => head.scrollWidth > head.clientWidth);
  const [first] = heads;
  if (!first) return undefined;
  const versions = heads.map((head) => head.parentElement?.textContent ?? '');
  return { versions: [...new Set(versions)], under: first.getBoundingClientRect() };
}
