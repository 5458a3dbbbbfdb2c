import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Whether the value is a local time. */
  readonly isTime?: boolean;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly children?: ComponentChildren;
}

/** A labelled field of a form. */
export function TextField(props: TextFieldProps) {
  const { label, value, onInput, isTime = false, hint, isRequired = false, children } = props;
  const id = useId();
  const common = {
    ...{ id, class: 'field', value, required: isRequired },
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => onInput(event.currentTarget.value),
  };
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {isTime ? <input {...common} type="datetime-local" /> : <input {...common} type="text" />}
      {children}
      {hint !== undefined && (
        <span id={`${id}-hint`} class="soft fine">
          {hint}
        </span>
      )}
    </div>
  );
}

/** A time in the form of a `datetime-local` field, in the viewer's zone. */
export function fieldTime(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The instant of a `datetime-local` field; `undefined` while it is empty. */
export function instantIn(value: string): string | undefined {
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Globs in a text field, separated by spaces or commas. */
export function globsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
