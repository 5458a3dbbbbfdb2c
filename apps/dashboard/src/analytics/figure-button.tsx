import type { ProvableFigure } from '@shiplog/contract';
import type { ComponentChildren } from 'preact';
import { useAddress, useApp } from '../ui/app.ts';

interface FigureButtonProps {
  readonly figure: ProvableFigure;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A number that opens its evidence. */
export function FigureButton({ figure, children, class: name = 'figure' }: FigureButtonProps) {
  const { navigation } = useApp();
  const { figures } = useAddress();
  return (
    <button
      type="button"
      class={`bare ${name}`}
      aria-haspopup="dialog"
      aria-expanded={figures.evidence === figure}
      onClick={() => navigation.go({ figures: { ...figures, evidence: figure, side: 'counted' }, slot: undefined })}
    >
      {children}
      <span class="unseen">: show the evidence</span>
    </button>
  );
}
