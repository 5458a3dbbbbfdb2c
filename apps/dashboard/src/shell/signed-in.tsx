import { useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';

/** Who reads, where reads are guarded. Only a session can be ended here, not the sign-in of a proxy. */
export function SignedIn() {
  const { connection } = useApp();
  const reader = useStore(connection.reader);
  const [hasFailed, setFailed] = useState(false);
  if (!reader) return null;
  const signOut = async () => {
    setFailed(false);
    const answer = await fetch(`${connection.baseUrl}/logout`, { method: 'POST', redirect: 'manual' }).catch(
      () => undefined,
    );
    if (answer?.type === 'opaqueredirect') location.assign(`${connection.baseUrl}/signed-out`);
    else setFailed(true);
  };
  return (
    <div class="signed-in">
      <p>
        Signed in as <strong>{reader.name ?? reader.id ?? reader.kind}</strong>
      </p>
      {reader.kind === 'reader' && reader.expires !== null && (
        <p>
          <button type="button" class="chip" onClick={signOut}>
            Sign out
          </button>
        </p>
      )}
      {hasFailed && <p role="alert">Couldn’t sign out. Try again.</p>}
    </div>
  );
}
