import { useRef } from 'preact/hooks';
import { useApp } from '../ui/app.ts';
import { nameWidths } from './layout.ts';

const stepPx = 24;

/** Changes the width of the service column: drag it or use the arrow keys; a double click restores the usual width. */
export function NameHandle({ width }: { readonly width: number }) {
  const { preferences } = useApp();
  const start = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const set = (nameWidth: number | undefined) => preferences.prefer({ nameWidth });
  const onPointerDown = ({ clientX, pointerId, currentTarget }: PointerEvent) => {
    start.current = { x: clientX, width };
    (currentTarget as Element).setPointerCapture(pointerId);
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    const from = start.current;
    if (from) preferences.set({ ...preferences.value, nameWidth: from.width + clientX - from.x });
  };
  const onPointerUp = () => {
    if (start.current && preferences.value.nameWidth !== start.current.width) set(width);
    start.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(width + by);
  };
  return (
    <span
      class="name-handle"
      role="separator"
      tabIndex={0}
      aria-label="Width of the service column"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={nameWidths.least}
      aria-valuemax={nameWidths.most}
      title="Drag to change the width; double click for the usual width"
      {...{ onPointerDown, onPointerMove, onPointerUp, onKeyDown }}
      onDblClick={() => set(undefined)}
    />
  );
}
