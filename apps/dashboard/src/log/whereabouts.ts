import type { Release } from '@shiplog/contract';

/** The environments of a release: "runs in qa, staging; failed in preprod"; "nowhere yet" if it is in none. */
export function whereabouts({ runs_in, places }: Pick<Release, 'runs_in' | 'places'>): string {
  const at = (status: string) =>
    Object.entries(places)
      .filter(([, { event, since }]) => since === null && event.status === status)
      .map(([environment]) => environment);
  const parts = [
    ['runs in', runs_in],
    ['on its way into', at('in-progress')],
    ['failed in', at('failure')],
    ['was in', at('success')],
  ] as const;
  const phrases = parts.filter(([, names]) => names.length > 0).map(([word, names]) => `${word} ${names.join(', ')}`);
  return phrases.join('; ') || 'nowhere yet';
}
