import { Cut } from '../ui/text.tsx';

interface FilterChipProps {
  /** What it filters on: "service", "actor". */
  readonly what: string;
  readonly label: string;
  readonly onRemove: () => void;
}

/** An active filter; pressing it removes it. */
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
