import { type Attributes, type ComponentType, createElement } from 'preact';
import { useAnswer } from '../ui/answer.ts';
import { Fault } from '../ui/empty.tsx';

interface LaterPartProps<Props extends object> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props & Attributes;
}

/** What stands over the page and is loaded when it is first wanted. Until it is here there is nothing of it. */
export function LaterPart<Props extends object>({ load, props }: LaterPartProps<Props>) {
  const answer = useAnswer(async () => ({ Part: await load() }), []);
  if (answer.kind === 'here') return createElement(answer.value.Part, props);
  // A newer service no longer has the file that this page asks for.
  return answer.kind === 'failed' ? (
    <div class="later-fault">
      <Fault what="This part could not be loaded; the service may have changed." retry={() => location.reload()} />
    </div>
  ) : null;
}
