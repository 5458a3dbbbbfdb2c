import { Alert } from '../ui/alert.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { useMayAct } from './act.ts';

interface FormFootProps {
  /** Why the last attempt failed. */
  readonly failure: string | undefined;
  readonly isBusy: boolean;
  /** The text of the button. */
  readonly submit: string;
  /** The command that does the same; `undefined` while the form isn't complete. */
  readonly command: string | undefined;
}

/** The bottom of a form: a button, or the command for readers who may not act here. */
export function FormFoot({ failure, isBusy, submit, command }: FormFootProps) {
  const mayAct = useMayAct();
  return (
    <>
      <Alert text={failure} />
      {mayAct ? (
        <p>
          <button type="submit" class="chip strong" disabled={isBusy}>
            {submit}
          </button>
        </p>
      ) : (
        <CommandInstead command={command} />
      )}
    </>
  );
}

/** The command for readers who may not act here; `undefined` while the form isn't complete. */
export function CommandInstead({ command }: { readonly command: string | undefined }) {
  return (
    <div class="command-instead">
      <p class="soft fine">
        Only people who signed in with an identity provider can do this here. Elsewhere, use the command:
      </p>
      {command === undefined ? (
        <p class="fine">Fill in the form to get the command.</p>
      ) : (
        <p class="row wrap">
          <code class="breaks">{command}</code> <CopyButton text={command} what="Copy" />
        </p>
      )}
    </div>
  );
}
