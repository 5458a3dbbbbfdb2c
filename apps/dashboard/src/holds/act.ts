import { CallRefused } from '@shiplog/client';
import { useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';

/** Whether the reader may hold deployments and name causes from the page: a person who has signed in (holds.md 2). */
export function useMayAct(): boolean {
  const reader = useStore(useApp().connection.reader);
  return reader?.kind === 'reader' && reader.expires !== null;
}

/** Runs one act at a time, and remembers why the last one failed. */
export function useAct() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const act = async (run: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await run();
      return true;
    } catch (error) {
      setFailure(reasonOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, act };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof CallRefused)) return "The service can't be reached. Try again.";
  const faults = error.problem?.errors?.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`) ?? [];
  return faults.length > 0 ? faults.join('; ') : (error.problem?.detail ?? `The service answered ${error.status}.`);
}
