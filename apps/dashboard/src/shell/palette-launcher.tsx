import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { imported } from '../state/imported.ts';
import { useApp } from '../ui/app.ts';
import { runCommand, useCommand } from '../ui/commands.ts';
import { listen } from '../ui/listen.ts';
import { useShortcuts } from './key-presses.ts';
import { LazyOverlay } from './lazy-overlay.tsx';

const loadPalette = async () => (await imported(() => import('./palette.tsx'))).Palette;
const loadHolds = async () => (await imported(() => import('../holds/holds-dialog.tsx'))).HoldsDialog;
const loadKeys = async () => (await imported(() => import('./keys-dialog.tsx'))).KeysDialog;

interface Opening {
  readonly what: 'palette' | 'keys' | 'holds';
  readonly nth: number;
}

/** The button that opens the palette, the page's shortcuts and both dialogs. The dialogs load when first opened. */
export function PaletteLauncher() {
  const { navigation } = useApp();
  const [opened, setOpened] = useState<Opening>();
  const openings = useRef(0);
  const open = (what: Opening['what']) => setOpened({ what, nth: ++openings.current });
  const early = useRef<string | undefined>(undefined);
  const openPalette = useCallback(() => {
    if (document.querySelector('#palette[open]')) return;
    early.current ??= '';
    open('palette');
  }, []);
  // The close event arrives late; the next dialog may already have been requested.
  const onClose = () => setOpened((now) => (now === opened ? undefined : now));
  /** If the palette fails to load, keys are handled by the page again. */
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
  useShortcuts();
  useCommand('palette', openPalette);
  useCommand('keys', () => open('keys'));
  useCommand('holds', () => open('holds'));
  useCommand('filter', () => focusFilter() || runCommand('palette', navigation));
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
      <button type="button" class="jump nowrap soft row" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        <Mark shape="search" />
        <span class="jump-text">Search or jump to</span>
        <kbd>Ctrl K</kbd>
      </button>
      {opened?.what === 'palette' && <LazyOverlay key={opened.nth} load={load} props={{ takeEarly, onClose }} />}
      {opened?.what === 'holds' && <LazyOverlay key={opened.nth} load={loadHolds} props={{ onClose }} />}
      {opened?.what === 'keys' && <LazyOverlay key={opened.nth} load={loadKeys} props={{ onClose }} />}
    </>
  );
}

/** Focuses the filter field of the view. @returns whether the view has one. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}
