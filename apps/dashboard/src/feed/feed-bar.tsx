import { type Status, statuses } from '@shiplog/contract';
import { go, useAddress } from '../navigation.ts';
import { inUtc } from '../ui/age.ts';
import { statusWord } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';
import { GroupToggle } from './group-toggle.tsx';

/** What narrows the feed beyond the filters that it shares with the board. */
export function FeedBar() {
  const { status, actor, deployment, since, until } = useAddress();
  return (
    <div class="feed-bar">
      <select
        aria-label="Status"
        value={status ?? ''}
        onChange={({ currentTarget }) => go({ status: (currentTarget.value || undefined) as Status | undefined })}
      >
        <option value="">Every status</option>
        {statuses.map((name) => (
          <option key={name} value={name}>
            {statusWord(name)}
          </option>
        ))}
      </select>
      {status && <Narrowed what="status" words={statusWord(status)} onRemove={() => go({ status: undefined })} />}
      {actor && <Narrowed what="actor" words={actor} onRemove={() => go({ actor: undefined })} />}
      {deployment && <Narrowed what="deployment" words={deployment} onRemove={() => go({ deployment: undefined })} />}
      {since && <Narrowed what="since" words={inUtc(since)} onRemove={() => go({ since: undefined })} />}
      {until && <Narrowed what="until" words={inUtc(until)} onRemove={() => go({ until: undefined })} />}
      <span class="space" />
      <GroupToggle />
    </div>
  );
}

interface NarrowedProps {
  readonly what: string;
  readonly words: string;
  readonly onRemove: () => void;
}

function Narrowed({ what, words, onRemove }: NarrowedProps) {
  return (
    <button
      type="button"
      class="chip narrowed"
      aria-pressed="true"
      aria-label={`Remove the filter ${what} ${words}`}
      onClick={onRemove}
    >
      {what} <Cut text={words} /> ✕
    </button>
  );
}
