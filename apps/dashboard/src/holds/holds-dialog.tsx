import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { literalGlob } from '@shiplog/text';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { productionNames } from '../board/scope.ts';
import { useBoardContext } from '../ui/app.ts';
import { holdsTitle } from '../ui/commands.ts';
import { type HoldDraft, HoldForm } from './hold-form.tsx';
import { HoldList } from './hold-list.tsx';
import './holds.css';

interface HoldsDialogProps {
  /** Opens the form for a new hold. */
  readonly draft?: HoldDraft;
  readonly onClose: () => void;
}

/** Lists the freezes, locks and bad versions, creates and releases them, and adds exceptions (holds.md 4.3). */
export function HoldsDialog({ draft, onClose }: HoldsDialogProps) {
  const { stages } = useBoardContext();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(draft !== undefined);
  const [acts, setActs] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  // The element that had the focus may be gone.
  const onActed = () => {
    setActs(acts + 1);
    heading.current?.focus();
  };
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="holds-dialog" aria-labelledby="holds" onClose={onClose}>
      <div class="holds-head title">
        <h2 id="holds" ref={heading} tabIndex={-1}>
          {holdsTitle}
        </h2>
        <button type="button" class="square" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Mark shape="cross" />
        </button>
      </div>
      <div class="holds-body stack">
        {isOpen ? (
          <HoldForm
            draft={{ environments: productionNames(stages).map(literalGlob).join(', '), ...draft }}
            onMade={() => {
              setOpen(false);
              onActed();
            }}
          />
        ) : (
          <p>
            <button type="button" class="chip strong" onClick={() => setOpen(true)}>
              New freeze, lock or bad version
            </button>
          </p>
        )}
        <HoldList acts={acts} onActed={onActed} />
      </div>
    </dialog>
  );
}
