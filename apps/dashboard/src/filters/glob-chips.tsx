import { globText } from '@shiplog/text';
import { useAddress, useApp } from '../ui/app.ts';
import { Cut } from '../ui/text.tsx';

const chipsMax = 2;

export function GlobChips({ kind }: { readonly kind: 'services' | 'environments' }) {
  const { navigation } = useApp();
  const globs = useAddress().filter[kind];
  // Many chips would move the controls next to them to another line.
  if (globs.length > chipsMax) {
    const label = globs.map(globText).join(', ');
    return <FilterChip what={kind} label={label} onRemove={() => navigation.narrow({ [kind]: [] })} />;
  }
  return (
    <>
      {globs.map((glob) => (
        <FilterChip
          key={glob}
          what={kind.slice(0, -1)}
          label={globText(glob)}
          onRemove={() => navigation.narrow({ [kind]: globs.filter((other) => other !== glob) })}
        />
      ))}
    </>
  );
}

interface FilterChipProps {
  /** The field that the chip filters: "service", "actor". */
  readonly what: string;
  readonly label: string;
  readonly onRemove: () => void;
}

/** An active filter. A press on the chip removes the filter. */
export function FilterChip({ what, label, onRemove }: FilterChipProps) {
  return (
    <button
      type="button"
      class="chip filter-chip"
      aria-pressed="true"
      aria-label={`Remove filter ${what} ${label}`}
      onClick={onRemove}
    >
      {what} <Cut text={label} /> ✕
    </button>
  );
}
