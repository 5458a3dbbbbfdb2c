import { useAddress, useApp } from '../ui/app.ts';
import { Cut } from '../ui/text.tsx';

export function GlobChips({ kind }: { readonly kind: 'services' | 'environments' }) {
  const { navigation } = useApp();
  const { filter } = useAddress();
  return (
    <>
      {filter[kind].map((glob) => (
        <FilterChip
          key={glob}
          what={kind.slice(0, -1)}
          label={glob}
          onRemove={() => navigation.narrow({ [kind]: filter[kind].filter((other) => other !== glob) })}
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
