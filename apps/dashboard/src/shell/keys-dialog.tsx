import { useLayoutEffect, useRef } from 'preact/hooks';
import { views } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { commandNames, commands } from '../ui/commands.ts';
import { commandWords } from './command-words.ts';
import { viewNames } from './views.ts';
import './palette.css';

const gridKeys = [
  { key: '← ↑ ↓ →', title: 'Move between cells; ← and → also fold and open a group' },
  { key: 'Enter', title: 'Open the history of a cell, or unfold a stage' },
  { key: 'Ctrl C', title: 'Copy the version of a cell' },
  { key: 'Esc', title: 'Close a history, a menu or a dialog' },
];

/** Lists all shortcuts, with a switch that disables shortcuts without a modifier. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { preferences } = useApp();
  const { singleKeys } = useStore(preferences);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const shortcuts = [
    ...commandNames.flatMap((name) => {
      const { key } = commands[name];
      return key === undefined ? [] : [{ key, title: commandWords[name].title }];
    }),
    ...views.map((name) => ({ key: `G ${viewNames[name].key}`, title: viewNames[name].title })),
    ...gridKeys,
  ];
  return (
    <dialog ref={dialog} class="palette shortcuts" aria-labelledby="keys" onClose={onClose}>
      <div class="shortcuts-head title">
        <h2 id="keys">Keyboard shortcuts</h2>
        <button type="button" class="palette-close bare" onClick={() => dialog.current?.close()}>
          <kbd>Esc</kbd>
          <span class="unseen">Close</span>
        </button>
      </div>
      <dl class="shortcuts-list">
        {shortcuts.map(({ key: keys, title }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
      <label class="shortcuts-switch">
        <input type="checkbox" checked={singleKeys} onChange={() => preferences.prefer({ singleKeys: !singleKeys })} />{' '}
        enable single-key shortcuts
      </label>
    </dialog>
  );
}
