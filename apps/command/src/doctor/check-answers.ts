import { CallRefused } from '@shiplog/client';
import { type Check, finding, isReaderRefused, readHeaders } from './finding.ts';

/** The OpenAPI document is large enough to be compressed even if the log is empty. */
const largeAnswer = '/openapi.json';

export const checkCompression: Check = async (installation) => {
  const { url, signal } = installation;
  const headers = { 'accept-encoding': 'br, gzip', ...readHeaders(installation) };
  const response = await fetch(`${url}${largeAnswer}`, { headers, signal });
  await response.body?.cancel();
  // The stream's check says what a refused reader needs.
  if (isReaderRefused(response)) return [];
  const encoding = response.headers.get('content-encoding');
  if (encoding) return [finding('ok', 'compression', `Responses are compressed (${encoding}).`)];
  const text = 'Configure the proxy to forward Accept-Encoding, or to compress JSON (but not streams).';
  return [finding('fault', 'compression', `Responses are not compressed. ${text}`)];
};

/** Checks whether problem documents link to existing pages (PROBLEM_BASE). */
export const checkProblems: Check = async ({ client, url, signal }) => {
  const type = await client.getDeployment({ params: { id: 'doctor' }, signal }).then(
    () => undefined,
    (error) => (error instanceof CallRefused ? error.problem?.type : undefined),
  );
  if (type === undefined || !URL.canParse(type, `${url}/`)) {
    const text =
      'An error response is not a problem document. Configure the proxy to forward error responses unchanged.';
    return [finding('fault', 'problems', text)];
  }
  const page = new URL(type, `${url}/`).href;
  const status = await fetch(page, { redirect: 'manual', signal }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => 'nothing',
  );
  if (status === 200) return [finding('ok', 'problems', `Problems are explained at ${page.replace(/\/[^/]*$/, '')}.`)];
  const text = `${page} returned ${status}. Set PROBLEM_BASE to the public address of the service.`;
  return [finding('fault', 'problems', text)];
};
