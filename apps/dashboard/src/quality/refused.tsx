import type { RefusedPosts } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { refusalWords } from './refusal-words.ts';

export function Refused({ refused }: { readonly refused: readonly RefusedPosts[] }) {
  return (
    <section class="card quality-card" aria-labelledby="refused">
      <h2 id="refused">
        Refused posts <span class="small">last 7 days, not filtered</span>
      </h2>
      <ul class="refused">
        {refused.map(({ reason, posts }) => (
          <li key={reason}>
            <b>{pluralize(posts, 'post')}</b> {refusalWords(reason)}
          </li>
        ))}
      </ul>
      <p class="quality-none small">
        A refused post leaves no row. <a href="docs">See the format of a post</a>
      </p>
    </section>
  );
}
