import type { GithubDeployment } from './model.ts';

/** Defaults for a new deployment: the values of the previous one in its environment, with the next version. */
export function madeUp(
  before: GithubDeployment | undefined,
  id: number,
): Pick<GithubDeployment, 'payload' | 'transient' | 'artifact'> {
  const { payload = {}, transient = false, artifact } = before ?? {};
  return { payload: nextPayload(payload), transient, ...(artifact && { artifact: { ...artifact, id } }) };
}

function nextPayload(payload: object | string): object | string {
  if (typeof payload === 'string' || !('version' in payload) || typeof payload.version !== 'string') return payload;
  return { ...payload, version: nextVersion(payload.version) };
}

/** `3.2.0` becomes `3.2.1`, `r42` becomes `r43`: the last number is incremented. */
function nextVersion(version: string): string {
  return version.replace(/\d{1,9}(?=\D*$)/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'));
}
