import { type ComponentType, createElement } from 'preact';
import { useAnswer } from './answer.ts';
import { Fault } from './empty.tsx';

/** A view whose code is loaded when it is first shown. */
export function Later({ name, load }: { readonly name: string; readonly load: () => Promise<ComponentType> }) {
  const answer = useAnswer(async () => ({ View: await load() }), [name]);
  // A newer service no longer has the file that this page asks for.
  if (answer.kind === 'failed')
    return (
      <Fault what="This view could not be loaded; the service may have changed." retry={() => location.reload()} />
    );
  return answer.kind === 'here' ? createElement(answer.value.View, {}) : <p class="waiting">Loading …</p>;
}
