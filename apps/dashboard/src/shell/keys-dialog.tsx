import { useLayoutEffect, useRef } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { keyList } from './key-list.ts';
import './palette.css';

/** Every key, and the switch that turns those without a modifier off. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { preferences } = useApp();
  const { singleKeys } = useStore(preferences);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="palette keys" aria-labelledby="keys" onClose={onClose}>
      <div class="keys-head">
        <h2 id="keys">Keys</h2>
        <button type="button" class="palette-close" onClick={() => dialog.current?.close()}>
          <kbd>Esc</kbd>
          <span class="unseen">Close</span>
        </button>
      </div>
      <dl class="keys-list">
        {keyList.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="keys-switch">
        <input type="checkbox" checked={singleKeys} onChange={() => preferences.prefer({ singleKeys: !singleKeys })} />{' '}
        single keys do something
      </label>
    </dialog>
  );
}
