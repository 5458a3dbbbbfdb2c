import { shapes } from '../files/marks.js';

/** A shape that shows a state without relying on colour. The text next to it names the state. */
export function Mark({ shape }: { readonly shape: Shape }) {
  const [area = '', line = ''] = shapes[shape];
  return (
    <svg viewBox="0 0 16 16" class={shape === 'run' ? 'mark turn' : 'mark'} aria-hidden="true">
      <path d={area} fill="currentColor" />
      <path d={line} class={area ? 'hole' : 'line'} />
    </svg>
  );
}

export function State({ id, look: [shape, label] }: { readonly id?: string; readonly look: Look }) {
  return (
    <span class={`state ${shape}`} id={id}>
      <Mark shape={shape} />
      <span>{label}</span>
    </span>
  );
}
