import { type Attributes, type ComponentType, createElement } from 'preact';
import { Fault } from '../ui/empty.tsx';
import { useLoaded } from '../ui/loaded.ts';

interface LaterPartProps<Props extends object> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props & Attributes & { readonly onClose: () => void };
}

/** What stands over the page and is loaded when it is first wanted. Until it is here there is nothing of it. */
export function LaterPart<Props extends object>({ load, props }: LaterPartProps<Props>) {
  const answer = useLoaded(load, []);
  if (answer.kind === 'here') return createElement(answer.value.part, props);
  return answer.kind === 'failed' ? (
    <div class="later-fault">
      <Fault what={`This part ${answer.what}`} retry={answer.retry}>
        {' '}
        <button type="button" onClick={props.onClose}>
          Close
        </button>
      </Fault>
    </div>
  ) : null;
}
