import { CallRefused } from '@shiplog/client';
import { type Check, finding } from './finding.ts';

/** The OpenAPI document is larger than what is left as it is, whatever the log has. */
const largeAnswer = '/openapi.json';

export const checkCompression: Check = async ({ url, signal }) => {
  const response = await fetch(`${url}${largeAnswer}`, { headers: { 'accept-encoding': 'br, gzip' }, signal });
  await response.body?.cancel();
  const encoding = response.headers.get('content-encoding');
  if (encoding) return [finding('ok', 'compression', `Answers are compressed (${encoding}).`)];
  const text =
    'Answers come uncompressed; have the proxy pass Accept-Encoding on, or compress JSON itself, but not streams.';
  return [finding('fault', 'compression', text)];
};

/** Whether the pages that explain problems are where problems say that they are (PROBLEM_BASE). */
export const checkProblems: Check = async ({ client, url, signal }) => {
  const type = await client.getDeployment({ params: { id: 'doctor' }, signal }).then(
    () => undefined,
    (error) => (error instanceof CallRefused ? error.problem?.type : undefined),
  );
  if (type === undefined || !URL.canParse(type, `${url}/`)) {
    const text = 'A refusal does not come as the problem document that it is; have the proxy pass errors on unchanged.';
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
  const text = `${page} answers ${status}; set PROBLEM_BASE to where the service is reached by its users.`;
  return [finding('fault', 'problems', text)];
};
