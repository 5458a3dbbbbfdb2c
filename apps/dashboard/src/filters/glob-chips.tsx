import { useAddress, useApp } from '../ui/app.ts';
import { FilterChip } from './filter-chip.tsx';

/** The service or environment filters as chips. */
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
