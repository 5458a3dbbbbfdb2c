import { useRef } from 'preact/hooks';
import { noFacts } from '../board/facts.ts';
import { imported } from '../state/imported.ts';
import { useStore } from '../state/store.ts';
import { useApp, useBoardContext } from '../ui/app.ts';
import { Later } from '../ui/later.tsx';

const load = async () => (await imported(() => import('./production-question.tsx'))).ProductionQuestion;

/**
 * Loads the question which environments are production, for a board without production and a viewer who hasn't
 * answered.
 */
export function MissingProduction() {
  const { stages, facts } = useBoardContext();
  const { production } = useStore(useApp().preferences);
  // The question stays for the setting that it shows after the answer.
  const wasAsked = useRef(false);
  wasAsked.current ||= facts !== noFacts && production === undefined && stages.production.size === 0;
  return wasAsked.current ? <Later name="production" load={load} meanwhile="" /> : null;
}
