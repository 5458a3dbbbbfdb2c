import { plain, posterOf } from '@shiplog/text';
import { useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';

const fields = { sha: 'sha', environment: 'environment', run_url: 'run', actor: 'actor' } as const;

/** Who posted an event, and where it contradicts the token with which it was posted. */
export function Posted({ id }: { readonly id: string }) {
  const { client } = useApp().connection;
  const answer = useAnswer(async (signal) => (await client.getProof({ params: { id }, signal })).body, [id]);
  if (answer.kind === 'waiting') return <span class="soft">…</span>;
  if (answer.kind === 'failed') return <span class="soft">{answer.what}</span>;
  const contradictions = answer.value.claims.filter(({ agrees }) => !agrees);
  return (
    <>
      <bdi>{plain(posterOf(answer.value))}</bdi>
      {contradictions.map(({ field, proven }) => (
        <div key={field} class="bad-text">
          The token says another {fields[field]}: <bdi class="mono">{plain(proven)}</bdi>
        </div>
      ))}
    </>
  );
}
