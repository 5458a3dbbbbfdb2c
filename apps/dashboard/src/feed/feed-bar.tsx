import { type Status, statuses } from '@shiplog/contract';
import { inUtc } from '../board/age.ts';
import { FilterChip } from '../filters/filter-chip.tsx';
import { GroupToggle } from '../log/group-toggle.tsx';
import { useAddress, useApp } from '../ui/app.ts';
import { statusLabel } from '../ui/status.tsx';

/** The filters of the feed that the board doesn't have. */
export function FeedBar() {
  const { navigation } = useApp();
  const { status, actor, deployment, since, until } = useAddress();
  return (
    <div class="wrap feed-bar">
      <select
        aria-label="Status"
        value={status ?? ''}
        onChange={({ currentTarget }) =>
          navigation.go({ status: (currentTarget.value || undefined) as Status | undefined })
        }
      >
        <option value="">All statuses</option>
        {statuses.map((name) => (
          <option key={name} value={name}>
            {statusLabel(name)}
          </option>
        ))}
      </select>
      {status && (
        <FilterChip what="status" label={statusLabel(status)} onRemove={() => navigation.go({ status: undefined })} />
      )}
      {actor && <FilterChip what="actor" label={actor} onRemove={() => navigation.go({ actor: undefined })} />}
      {deployment && (
        <FilterChip what="deployment" label={deployment} onRemove={() => navigation.go({ deployment: undefined })} />
      )}
      {since && <FilterChip what="since" label={inUtc(since)} onRemove={() => navigation.go({ since: undefined })} />}
      {until && <FilterChip what="until" label={inUtc(until)} onRemove={() => navigation.go({ until: undefined })} />}
      <span class="space" />
      <GroupToggle />
    </div>
  );
}
