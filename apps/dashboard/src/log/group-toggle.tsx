import { go, useAddress } from '../state/navigation.ts';

/** Whether the rows of one deployment stand together. */
export function GroupToggle() {
  const { grouped } = useAddress();
  return (
    <button type="button" class="chip" aria-pressed={grouped} onClick={() => go({ grouped: !grouped }, 'replace')}>
      Grouped by deployment
    </button>
  );
}
