import type { ComponentChildren } from 'preact';
import type { ComparisonKind } from '../state/address/comparison.ts';
import { useAddress, useApp } from '../ui/app.ts';

interface KindChipProps {
  readonly kind: ComparisonKind;
  readonly isOn: boolean;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

export function KindChip({ kind, isOn, title, children }: KindChipProps) {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  const choose = () => navigation.go({ comparison: { ...comparison, kind } });
  return (
    <button type="button" class="chip" title={title} aria-pressed={isOn} onClick={choose}>
      {children}
    </button>
  );
}
