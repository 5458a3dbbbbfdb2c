import { useEffect } from 'preact/hooks';
import { grouped } from '../board/grouped.ts';
import type { Found } from '../board/shown.ts';
import { useApp } from '../ui/app.ts';
import { listen } from '../ui/listen.ts';

const swipePx = 60;

/** On a phone the board shows one environment at a time: picked here, or by a swipe over the board. */
export function EnvironmentPicker({
  columns,
  picked,
  failed,
}: {
  readonly columns: readonly string[];
  readonly picked: string | undefined;
  readonly failed: readonly Found[];
}) {
  const { navigation } = useApp();
  const failedIn = grouped(failed, ({ environment }) => environment);
  const at = columns.indexOf(picked ?? '');
  const show = (index: number) => columns[index] !== undefined && navigation.go({ picked: columns[index] }, 'replace');
  useEffect(() => {
    let startX = 0;
    const start = ({ touches }: TouchEvent) => {
      startX = touches[0]?.clientX ?? 0;
    };
    const end = ({ changedTouches, target }: TouchEvent) => {
      if (!(target as Element).closest?.('.grid')) return;
      const moved = (changedTouches[0]?.clientX ?? startX) - startX;
      if (Math.abs(moved) > swipePx) show(at - Math.sign(moved));
    };
    return listen(document, { touchstart: start, touchend: end }, { passive: true });
  }, [columns, at]);
  return (
    <div class="picker">
      <button type="button" aria-label="Environment before" disabled={at <= 0} onClick={() => show(at - 1)}>
        ‹
      </button>
      <select
        aria-label="Environment"
        value={picked}
        onChange={({ currentTarget }) => show(columns.indexOf(currentTarget.value))}
      >
        {columns.map((name) => (
          <option key={name} value={name}>
            {failedIn.has(name) ? `${name} · ${failedIn.get(name)?.length} failed` : name}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-label="Environment after"
        disabled={at >= columns.length - 1}
        onClick={() => show(at + 1)}
      >
        ›
      </button>
    </div>
  );
}
