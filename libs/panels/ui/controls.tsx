import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { plain } from './text.tsx';

export interface ButtonProps {
  readonly id?: string;
  readonly class?: string;
  readonly onPress: () => unknown;
  /** If false, the button does nothing. Unlike a disabled button, it keeps the focus. */
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

/** Runs the work when the button is pressed. Ignores presses while the work is running. */
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
  /** The state that the program reports; `undefined` before the first report. */
  readonly isOn: boolean | undefined;
  readonly disabled?: boolean;
  turn(body: { readonly enabled: boolean }): unknown;
}

/** A switch that always shows the state reported by the program, even right after a press. */
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

/** An error message. Hidden if empty. */
export function Fault({ id, sentence }: { readonly id: string; readonly sentence: string }) {
  return (
    <p class="fault" id={id} role="alert" hidden={!sentence}>
      {plain(sentence)}
    </p>
  );
}

/** A confirmation question. */
export interface Question {
  readonly isOpen: boolean;
  /** The button that opens the question. */
  readonly button: RefObject<HTMLButtonElement | null>;
  /** The button that cancels. */
  readonly no: RefObject<HTMLButtonElement | null>;
  show(isOpen: boolean): void;
  /** Closes the question without moving the focus. */
  hide(): void;
  answer(): unknown;
}

/** Asks for confirmation before running the work. The focus moves to the question and back. */
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
      // Browsers allow access to the clipboard only over HTTPS and on localhost, so select the text instead.
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

/** Announces a message to screen readers. */
export function announce(sentence: string): void {
  say(sentence);
}

/** The live region for the messages of `announce`. Each page has one. */
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
