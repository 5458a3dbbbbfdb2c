import { limits } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { emptyBoard } from '../board/board.ts';
import { whereabouts } from '../log/whereabouts.ts';
import { sharedPresets } from '../state/presets.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, useBoardContext } from '../ui/app.ts';
import { runCommand } from '../ui/commands.ts';
import { isOffered } from './command-words.ts';
import type { Hit } from './hit.ts';
import { HitList, hitId } from './hit-list.tsx';
import { type KnownRelease, namesOn } from './known-names.ts';
import { hitsFor } from './palette-search.ts';
import './palette.css';

interface PaletteProps {
  readonly takeEarly: () => string;
  readonly onClose: () => void;
}

/** Searches services, environments, releases, people, teams, answers, views and commands for the typed text. */
export function Palette({ takeEarly, onClose }: PaletteProps) {
  const { navigation, preferences } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(takeEarly);
  const [chosen, setChosen] = useState(0);
  const hits = useHits(text);
  const at = Math.min(chosen, hits.length - 1);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const open = ({ does }: Hit, inNewTab: boolean) => {
    // Return the focus first, so that the target can receive it.
    dialog.current?.close();
    if ('to' in does) {
      if (inNewTab) window.open(navigation.linkTo(does.to), '_blank', 'noopener');
      else navigation.go(does.to);
      if (does.command && !inNewTab) runCommand(does.command, navigation);
      else if (does.to.view === 'board') requestAnimationFrame(() => runCommand('rows', navigation));
    } else if ('command' in does) runCommand(does.command, navigation);
    else if ('prefer' in does) preferences.prefer(does.prefer);
    else window.open(does.href, inNewTab ? '_blank' : '_self');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const to = steps[event.key];
    const hit = hits[at];
    if (to !== undefined) setChosen((to + hits.length) % Math.max(1, hits.length));
    else if (event.key === 'Enter' && hit && !event.isComposing) open(hit, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      id="palette"
      class="palette"
      aria-label="Search or jump to"
      onClose={onClose}
      onPointerDown={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="palette-field row">
        <Mark shape="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-hits"
          aria-autocomplete="list"
          aria-activedescendant={hits[at] && hitId(at)}
          aria-label="Services, environments, versions, commits, people, teams, views and actions"
          placeholder="Try “staging vs prod”"
          autocomplete="off"
          spellcheck={false}
          maxLength={limits.releaseQueryMax}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="palette-close bare" onClick={() => dialog.current?.close()}>
          <kbd>Esc</kbd>
          <span class="unseen">Close</span>
        </button>
      </div>
      <HitList hits={hits} at={at} typed={text} onOpen={open} />
      <p class="palette-foot wrap soft" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>↵</kbd> open
        </span>
        <span>
          <kbd>Ctrl ↵</kbd> open in new tab
        </span>
        <span class="space" />
        <span>
          Shortcuts <kbd>?</kbd>
        </span>
      </p>
      <p class="unseen" role="status">
        {hits.length === 0 ? `No results for ${plain(text)}.` : ''}
      </p>
    </dialog>
  );
}

function useHits(text: string): Hit[] {
  const { connection, ownership: store, preferences, catalog } = useApp();
  const { presets: own } = useStore(preferences);
  const { presets: shared } = useStore(catalog);
  const board = useBoard() ?? emptyBoard;
  const ownership = useStore(store);
  const { filter } = useAddress();
  const { stages: staged, futureRows } = useBoardContext();
  const stages = staged.all;
  const names = useMemo(() => namesOn(board), [board]);
  const found = useFound(text.trim());
  return useMemo(() => {
    const presets = [...own, ...sharedPresets(shared)];
    const nowMs = connection.now.present.value;
    return hitsFor(text, { board, names, found, ownership, filter, stages, futureRows, presets, nowMs, isOffered });
  }, [text, board, names, found, ownership, filter, stages, futureRows, own, shared]);
}

const settleMs = 120;

/** Releases that the service finds once typing pauses; aborts the previous request. */
function useFound(text: string): readonly KnownRelease[] {
  const { client } = useApp().connection;
  const [found, setFound] = useState<readonly KnownRelease[]>([]);
  useEffect(() => {
    if (text.length < limits.releaseQueryMin) return undefined;
    const over = new AbortController();
    const ask = async () => {
      const { body } = await client.listReleases({ query: { q: text, limit: 20 }, signal: over.signal });
      setFound(body.items.map((item) => ({ ...item, where: whereabouts(item) })));
    };
    // If the request fails, the hits from the board remain.
    const timer = setTimeout(() => ask().catch(() => undefined), settleMs);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [text, client]);
  return found;
}
