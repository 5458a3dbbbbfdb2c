import { useState } from 'preact/hooks';
import { imported } from '../state/imported.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';

export function ExportButton() {
  const app = useApp();
  const hasBoard = useStore(app.connection.board) !== undefined;
  const [fault, setFault] = useState<string>();
  const run = async () => {
    try {
      (await imported(() => import('./export-board.ts'))).exportBoard(app);
      setFault(undefined);
    } catch {
      // After an upgrade, the service no longer has the script that this page requests.
      setFault("Can't export the board. Reload the page and try again.");
    }
  };
  return (
    <>
      <button type="button" class="chip" disabled={!hasBoard} onClick={() => void run()}>
        Export the board as HTML
      </button>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
