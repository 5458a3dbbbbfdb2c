import { inUtc } from '../board/age.ts';
import type { Address } from '../state/address.ts';
import { statusWord } from '../ui/status.tsx';

/** The filters of an address, a few words each; none where nothing narrows. */
export function filterWords({ filter, status, actor, deployment, since, until }: Address): string[] {
  const word = (value: string | undefined, words: string) => (value === undefined ? [] : [words]);
  return [
    ...filter.services.map((glob) => `service ${glob}`),
    ...filter.environments.map((glob) => `environment ${glob}`),
    ...word(filter.text, `“${filter.text}”`),
    ...word(filter.only, `${filter.only} only`),
    ...word(status, `status ${status && statusWord(status)}`),
    ...word(actor, `actor ${actor}`),
    ...word(deployment, `deployment ${deployment}`),
    ...word(since, `since ${since && inUtc(since)}`),
    ...word(until, `until ${until && inUtc(until)}`),
  ];
}
