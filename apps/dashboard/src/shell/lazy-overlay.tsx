import { type Attributes, type ComponentType, createElement } from 'preact';
import { Fault } from '../ui/empty.tsx';
import { useLoaded } from '../ui/loaded.ts';

interface LazyOverlayProps<Props extends object> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props & Attributes & { readonly onClose: () => void };
}

/** A dialog or drawer whose code is loaded when it is first opened. Nothing is shown while it loads. */
export function LazyOverlay<Props extends object>({ load, props }: LazyOverlayProps<Props>) {
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
