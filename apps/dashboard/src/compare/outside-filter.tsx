import { pluralize } from '@shiplog/text';
import { home } from '../state/address.ts';
import { useAddress } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';

export function OutsideFilter({ count }: { readonly count: number }) {
  const { filter, comparison } = useAddress();
  if (count === 0) return null;
  return (
    <span class="small">
      {pluralize(count, 'more service')} outside the filter{' '}
      <Link
        to={{
          filter: { ...home.filter, text: filter.text },
          comparison: { ...comparison, older: undefined },
        }}
      >
        Show all
      </Link>
    </span>
  );
}
