import { type ComponentType, createElement } from 'preact';
import { useAnswer } from '../ui/answer.ts';
import { Fault } from '../ui/empty.tsx';

/** A view whose code is asked for when it is first shown. */
export function Later({ load }: { readonly load: () => Promise<ComponentType> }) {
  const answer = useAnswer(async () => ({ View: await load() }), [load.toString()]);
  if (answer.kind === 'failed') return <Fault what="This view could not be loaded." retry={answer.retry} />;
  return answer.kind === 'here' ? createElement(answer.value.View, {}) : <p class="waiting">Loading …</p>;
}
