import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../ui/listen.ts';
import { LaterPart } from './later-part.tsx';
import { useKeys } from './use-keys.ts';

const loadPalette = async () => (await import('./palette.tsx')).Palette;
const loadKeys = async () => (await import('./keys-dialog.tsx')).KeysDialog;

/** One time that a dialog is wanted. */
interface Opening {
  readonly what: 'palette' | 'keys';
  readonly nth: number;
}

/** The button that opens the palette, the keys of the page, and their dialogs, which are loaded when they are wanted. */
export function PaletteDoor({ hasButton }: { readonly hasButton: boolean }) {
  const [opened, setOpened] = useState<Opening>();
  const openings = useRef(0);
  const open = (what: Opening['what']) => setOpened({ what, nth: ++openings.current });
  /** What is typed between the wish for the palette and its being there, which is meant for it. */
  const early = useRef<string | undefined>(undefined);
  const openPalette = useCallback(() => {
    if (document.querySelector('#palette[open]')) return;
    early.current ??= '';
    open('palette');
  }, []);
  const openKeys = useCallback(() => open('keys'), []);
  // A dialog says a moment after it has closed that it has, when the next one may be wanted already.
  const onClose = () => setOpened((now) => (now === opened ? undefined : now));
  /** Without a palette what is typed is the page's again. */
  const load = () =>
    loadPalette().catch((error) => {
      early.current = undefined;
      throw error;
    });
  const takeEarly = () => {
    const typed = early.current ?? '';
    early.current = undefined;
    return typed;
  };
  useKeys({ openPalette, openKeys });
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (early.current !== undefined && event.key === 'Escape') {
        early.current = undefined;
        setOpened(undefined);
      }
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
      if (early.current === undefined || !isText) return;
      event.preventDefault();
      event.stopPropagation();
      early.current += event.key;
    };
    return listen(document, { keydown: keep }, { capture: true });
  }, []);
  return (
    <>
      {hasButton && (
        <button type="button" class="jump" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
          <svg viewBox="0 0 16 16" class="mark" aria-hidden="true">
            <path class="line" d="M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3.5 3.5" />
          </svg>
          <span class="jump-text">Search or jump to</span>
          <kbd>Ctrl K</kbd>
        </button>
      )}
      {opened?.what === 'palette' && (
        <LaterPart key={opened.nth} load={load} props={{ takeEarly, onClose, onKeys: openKeys }} />
      )}
      {opened?.what === 'keys' && <LaterPart key={opened.nth} load={loadKeys} props={{ onClose }} />}
    </>
  );
}
