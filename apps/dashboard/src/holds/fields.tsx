import { literalGlob, plain } from '@shiplog/text';
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';
import { globMatches } from '../board/filter.ts';

/** The maximum number of suggested names. */
const suggestedMax = 200;

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Whether the value is a local time. */
  readonly isTime?: boolean;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** The id of a list of suggestions. */
  readonly list?: string;
  readonly children?: ComponentChildren;
}

/** A labelled field of a form. */
export function TextField(props: TextFieldProps) {
  const { label, value, onInput, isTime = false, hint, isRequired = false, list, children } = props;
  const id = useId();
  const common = {
    ...{ id, class: 'field', value, required: isRequired },
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => onInput(event.currentTarget.value),
  };
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {isTime ? <input {...common} type="datetime-local" /> : <input {...common} type="text" list={list} />}
      {children}
      {hint !== undefined && (
        <span id={`${id}-hint`} class="soft fine">
          {hint}
        </span>
      )}
    </div>
  );
}

interface NamesFieldProps extends Omit<TextFieldProps, 'isTime' | 'list' | 'children'> {
  /** The known names. */
  readonly names: readonly string[];
}

/** A field for names or globs, separated by commas. It suggests names, and says which of those typed match none. */
export function NamesField({ names, ...field }: NamesFieldProps) {
  const id = useId();
  const typed = globsIn(field.value);
  const complete = field.value.slice(0, field.value.lastIndexOf(',') + 1);
  const isTyped = (name: string) => typed.includes(literalGlob(name));
  const unknown = typed.filter((glob) => !names.some((name) => globMatches(glob, name, true)));
  return (
    <TextField {...field} list={id}>
      <datalist id={id}>
        {names
          .filter((name) => !isTyped(name))
          .slice(0, suggestedMax)
          .map((name) => (
            <option key={name} value={`${complete}${complete && ' '}${literalGlob(name)}`} />
          ))}
      </datalist>
      {unknown.length > 0 && <span class="fine breaks">{plain(`Not on the board: ${unknown.join(', ')}`)}</span>}
    </TextField>
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

/** Globs in a text field, separated by commas. A name may contain spaces. */
export function globsIn(text: string): string[] {
  return text
    .split(',')
    .map((glob) => glob.trim())
    .filter(Boolean);
}

/** The next weekend, or what is left of this one: from Saturday to Monday, in the form of fields. */
export function weekendOf(nowMs: number): { readonly from: string; readonly until: string } {
  const now = new Date(nowMs);
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
  const toMonday = (8 - now.getDay()) % 7 || 7;
  const isWeekend = toMonday <= 2;
  return { from: isWeekend ? '' : fieldTime(midnight(toMonday - 2)), until: fieldTime(midnight(toMonday)) };
}

/** The time zone of the fields, such as "Europe/Berlin". */
export function fieldZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
