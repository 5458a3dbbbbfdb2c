import { type ComponentType, createElement } from 'preact';
import { Fault } from './empty.tsx';
import { useLoaded } from './loaded.ts';

export function Later({ name, load }: { readonly name: string; readonly load: () => Promise<ComponentType> }) {
  const answer = useLoaded(load, [name]);
  if (answer.kind === 'failed') return <Fault what={`This view ${answer.what}`} retry={answer.retry} />;
  return answer.kind === 'here' ? createElement(answer.value.part, {}) : <p class="waiting">Loading …</p>;
}
