import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { plain } from './text.tsx';

export interface ButtonProps {
  readonly id?: string;
  readonly class?: string;
  readonly onPress: () => unknown;
  /** A button that may not be pressed keeps the focus, which a disabled one would drop. */
  readonly isAllowed?: boolean;
  readonly disabled?: boolean;
  readonly form?: string;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-label'?: string;
  readonly 'aria-pressed'?: boolean;
  readonly title?: string;
  readonly buttonRef?: RefObject<HTMLButtonElement | null>;
  readonly children: ComponentChildren;
}

/** Runs the work at each press, one at a time. */
function usePress(work: () => unknown): () => Promise<void> {
  const isBusy = useRef(false);
  return async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    await work();
    isBusy.current = false;
  };
}

export function Button({ onPress, isAllowed = true, form, buttonRef, children, ...attributes }: ButtonProps) {
  const press = usePress(onPress);
  return (
    <button
      {...attributes}
      {...(form && { form })}
      {...(buttonRef && { ref: buttonRef })}
      type={form ? 'submit' : 'button'}
      aria-disabled={!isAllowed}
      onClick={isAllowed ? press : undefined}
    >
      {children}
    </button>
  );
}

export interface SwitchProps {
  readonly id: string;
  readonly label: string;
  /** What the program says; `undefined` before it has said anything. */
  readonly isOn: boolean | undefined;
  readonly disabled?: boolean;
  turn(body: { readonly enabled: boolean }): unknown;
}

/** Shows what the program says, not what was pressed. */
export function Switch({ id, label, isOn, disabled = false, turn }: SwitchProps) {
  const press = usePress(() => turn({ enabled: isOn !== true }));
  return (
    <button
      type="button"
      role="switch"
      id={id}
      aria-label={label}
      aria-checked={isOn === true}
      disabled={disabled}
      onClick={press}
    >
      {isOn === undefined ? 'Unknown' : isOn ? 'On' : 'Off'}
      <i />
    </button>
  );
}

/** What went wrong; an empty sentence shows nothing. */
export function Fault({ id, sentence }: { readonly id: string; readonly sentence: string }) {
  return (
    <p class="fault" id={id} role="alert" hidden={!sentence}>
      {plain(sentence)}
    </p>
  );
}

/** A question before some work, and whether it is open. */
export interface Question {
  readonly isOpen: boolean;
  /** The button that asks. */
  readonly button: RefObject<HTMLButtonElement | null>;
  /** The answer that changes nothing. */
  readonly no: RefObject<HTMLButtonElement | null>;
  show(isOpen: boolean): void;
  /** Without moving the focus. */
  hide(): void;
  answer(): unknown;
}

/** Asks before the work. The focus moves to the question and back. */
export function useQuestion(work: () => unknown): Question {
  const [isOpen, open] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const focused = useRef<RefObject<HTMLButtonElement | null> | undefined>(undefined);
  useLayoutEffect(() => {
    focused.current?.current?.focus();
    focused.current = undefined;
  });
  const show = (next: boolean) => {
    focused.current = next ? no : button;
    open(next);
  };
  const answer = () => {
    show(false);
    return work();
  };
  return { isOpen, button, no, show, hide: () => open(false), answer };
}

/** The button that opens and closes a question. */
export function AskButton({ question, ...attributes }: { readonly question: Question } & Omit<ButtonProps, 'onPress'>) {
  const { isOpen, button, show } = question;
  return <Button {...attributes} aria-expanded={isOpen} buttonRef={button} onPress={() => show(!isOpen)} />;
}

export interface AskProps {
  readonly id: string;
  readonly question: Question;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly disabled?: boolean;
}

export function Ask({ id, question, text, yes, no, disabled = false }: AskProps) {
  return (
    <fieldset
      class="ask"
      id={id}
      aria-labelledby={`${id}-text`}
      hidden={!question.isOpen}
      onKeyDown={({ key }) => {
        if (key === 'Escape') question.show(false);
      }}
    >
      <p id={`${id}-text`}>{text}</p>
      <div class="actions">
        <Button class="danger" disabled={disabled} onPress={question.answer}>
          {yes}
        </Button>
        <Button disabled={disabled} buttonRef={question.no} onPress={() => question.show(false)}>
          {no}
        </Button>
      </div>
    </fieldset>
  );
}

/** A command to run, with a button that copies it. */
export function Copyable({ command }: { readonly command: string }) {
  const [label, setLabel] = useState('Copy');
  const code = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setLabel('Copied');
    } catch {
      // The clipboard is for https and localhost only.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setLabel('Selected');
    }
  };
  return (
    <div class="copy">
      <code ref={code}>{command}</code>
      <Button class="quiet" onPress={copy}>
        {label}
      </Button>
    </div>
  );
}

let say: (sentence: string) => void = () => undefined;

/** Reads a sentence to people who listen to the page. */
export function announce(sentence: string): void {
  say(sentence);
}

/** Where the sentences of `announce` go; each page has one. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    say = setText;
  }, []);
  return (
    <p class="unseen" id="announcer" role="status">
      {text}
    </p>
  );
}
