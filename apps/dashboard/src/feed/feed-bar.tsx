import { type Status, statuses } from '@shiplog/contract';
import { inUtc } from '../board/age.ts';
import { FilterChip } from '../filters/filter-chip.tsx';
import { GroupToggle } from '../log/group-toggle.tsx';
import { go, useAddress } from '../state/navigation.ts';
import { statusWord } from '../ui/status.tsx';

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
      {status && <FilterChip what="status" words={statusWord(status)} onRemove={() => go({ status: undefined })} />}
      {actor && <FilterChip what="actor" words={actor} onRemove={() => go({ actor: undefined })} />}
      {deployment && <FilterChip what="deployment" words={deployment} onRemove={() => go({ deployment: undefined })} />}
      {since && <FilterChip what="since" words={inUtc(since)} onRemove={() => go({ since: undefined })} />}
      {until && <FilterChip what="until" words={inUtc(until)} onRemove={() => go({ until: undefined })} />}
      <span class="space" />
      <GroupToggle />
    </div>
  );
}
