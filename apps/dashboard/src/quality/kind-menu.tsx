import { type FindingKind, findingKinds, type QualityReport } from '@shiplog/contract';
import { findingTitles } from '../board/finding-titles.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Menu } from '../ui/menu.tsx';

export function KindMenu({ counts }: { readonly counts: QualityReport['counts'] | undefined }) {
  const { navigation } = useApp();
  const { kinds } = useAddress().quality;
  const toggle = (kind: FindingKind) => {
    const chosen = kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind];
    navigation.go({ quality: { kinds: findingKinds.filter((each) => chosen.includes(each)) } });
  };
  return (
    <Menu
      title={
        <>
          Kind <b>{kinds.map((kind) => findingTitles[kind]).join(', ') || `all ${findingKinds.length}`}</b>
        </>
      }
    >
      <ul class="columns">
        {findingKinds.map((kind) => (
          <li key={kind}>
            <label>
              <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />{' '}
              {findingTitles[kind]} {counts && <b>{counts[kind]}</b>}
            </label>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
