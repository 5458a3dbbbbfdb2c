import { limits, type RefusedPosts } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

export function Refused({ refused }: { readonly refused: readonly RefusedPosts[] }) {
  return (
    <section class="card quality-card" aria-labelledby="refused">
      <h2 id="refused">
        Refused posts <span class="small">last 7 days, not filtered</span>
      </h2>
      <ul class="refused">
        {refused.map(({ reason, posts }) => (
          <li key={reason}>
            <span>{pluralize(posts, 'post')}</span> {refusalWords(reason)}
          </li>
        ))}
      </ul>
      <p class="quality-note small">
        A refused post isn’t stored. <a href="docs">See the format of a post</a>
      </p>
    </section>
  );
}

const words: Readonly<Record<string, string>> = {
  '/version': `with a bad version. Use at most ${limits.version} characters: send the tag as version and the commit as sha.`,
  unauthorized: 'without a valid key. Set API_KEY in the pipeline to the key of the service.',
  'payload-too-large': 'with a body that is too large. Send one event per post.',
  validation: 'with an invalid event. Each response lists what to correct.',
};

/** Why posts were rejected, and what to do: "with a bad version. Use at most 50 characters: …". */
function refusalWords(reason: string): string {
  const fallback = reason.startsWith('/')
    ? `with a bad ${reason.slice(1)}. Each response says what is expected.`
    : `refused as “${reason}”.`;
  return words[reason] ?? fallback;
}
