import { useAddress, useApp } from '../ui/app.ts';

/** Whether the rows of one deployment stand together. */
export function GroupToggle() {
  const { navigation } = useApp();
  const { grouped } = useAddress();
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={grouped}
      onClick={() => navigation.go({ grouped: !grouped }, 'replace')}
    >
      Grouped by deployment
    </button>
  );
}
