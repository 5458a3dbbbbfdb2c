import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useAddress, useApp } from '../ui/app.ts';

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
      {grouped && <Mark shape="tick" />} Group by deployment
    </button>
  );
}
