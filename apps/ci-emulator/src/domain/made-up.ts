import type { GithubDeployment } from './model.ts';

/**
 * What a new deployment has where nobody says: what the one before it in its environment has, a version further. Review
 * apps that are emitted again stay review apps.
 */
export function madeUp(
  before: GithubDeployment | undefined,
  id: number,
): Pick<GithubDeployment, 'payload' | 'transient' | 'artifact'> {
  const { payload = {}, transient = false, artifact } = before ?? {};
  return { payload: furtherPayload(payload), transient, ...(artifact && { artifact: { ...artifact, id } }) };
}

function furtherPayload(payload: object | string): object | string {
  if (typeof payload === 'string' || !('version' in payload) || typeof payload.version !== 'string') return payload;
  return { ...payload, version: furtherVersion(payload.version) };
}

/** `3.2.0` gives `3.2.1`, `r42` gives `r43`: the last number is one more. */
function furtherVersion(version: string): string {
  return version.replace(/\d{1,9}(?=\D*$)/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'));
}
