import { type ComponentChildren, type ComponentType, createElement } from 'preact';
import { Fault } from './empty.tsx';
import { useLoaded } from './loaded.ts';

interface LaterProps {
  readonly name: string;
  readonly load: () => Promise<ComponentType>;
  /** A placeholder for a small part of the page until it is loaded, which stays if loading fails. */
  readonly meanwhile?: ComponentChildren;
}

export function Later({ name, load, meanwhile }: LaterProps) {
  const answer = useLoaded(load, [name]);
  if (answer.kind === 'here') return createElement(answer.value.part, {});
  if (meanwhile !== undefined) return <>{meanwhile}</>;
  return answer.kind === 'failed' ? (
    <Fault what={`This view ${answer.what}`} retry={answer.retry} />
  ) : (
    <p class="waiting">Loading …</p>
  );
}
