import { endpoints, keyHeaders } from '@shiplog/contract';
import { testKeys } from '@shiplog/testing';

/** Removes an event as an operator does. Returns the status of the response. */
export async function removeEvent(url: string, id: string, reason = 'false'): Promise<number> {
  const { method, path } = endpoints.removeDeployment;
  const answer = await fetch(`${url}${path.replace('{id}', id)}`, {
    method,
    headers: { [keyHeaders.control]: testKeys.control },
    body: JSON.stringify({ reason }),
  });
  return answer.status;
}
