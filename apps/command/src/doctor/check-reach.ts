import { answeredStatus, CallRefused } from '@shiplog/client';
import { contractVersion, headerNames, productVersion } from '@shiplog/contract';
import { type Check, type Finding, finding, type Installation } from './finding.ts';

/** Checks whether Shiplog answers at the address. If it doesn't, no other check can run. */
export async function checkReach({ client, url, isLocal, signal }: Installation): Promise<Finding> {
  try {
    await client.getLiveness({ signal });
  } catch (error) {
    const status = answeredStatus(error);
    const answered = `${url} returned ${status}. Check the address, including the path prefix of a proxy.`;
    return finding('fault', 'reach', status === undefined ? notReached(url, error) : answered);
  }
  if (url.startsWith('https:') || isLocal) return finding('ok', 'reach', `${url} answers.`);
  const text = `${url} answers, but without TLS, so keys can be read in transit. Put it behind https.`;
  return finding('note', 'reach', text);
}

/** Says what to do about a failed connection, by its error code. */
export function notReached(url: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const problem = `Can't reach ${url}${code === '' ? '' : ` (${code})`}`;
  if (code === 'CERT_HAS_EXPIRED') return `${problem}. Renew its certificate.`;
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) {
    return `${problem}: its certificate is not trusted. Set NODE_EXTRA_CA_CERTS to the file of the certificate authority, or fix the certificate.`;
  }
  if (/SSL|TLS|EPROTO/.test(code)) return `${problem}: this port doesn't use TLS. Try http, or the port of the proxy.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${problem}: unknown host name. Check it.`;
  return `${problem}. Check the address and that the service is running.`;
}

export const checkVersion: Check = async ({ client, signal }) => {
  const { version, contract } = (await client.getVersion({ signal })).body;
  const major = (text: string) => text.split('.')[0];
  if (major(contract) !== major(contractVersion)) {
    const text = `The service uses contract ${contract}, this command ${contractVersion}. Install version ${version} of the command.`;
    return [finding('fault', 'version', text)];
  }
  if (version === productVersion)
    return [finding('ok', 'version', `The service and this command have version ${version}.`)];
  const text = `The service has version ${version}, this command ${productVersion}. Both use contract ${contract}.`;
  return [finding('note', 'version', text)];
};

export const checkReadiness: Check = async ({ client, signal }) => {
  try {
    const { preparing } = (await client.getReadiness({ signal })).body;
    const ok = finding('ok', 'readiness', 'The database answers and all channels are attached.');
    if (!preparing) return [ok];
    const [events, total] = [preparing.events, preparing.total].map((count) => count.toLocaleString('en-US'));
    const text = `Analytics and releases are being prepared: ${events} of about ${total} events are loaded. Until then, they return 503.`;
    return [ok, finding('note', 'readiness', text)];
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    const failed = Object.entries(error.problem?.checks ?? {}).filter(([, state]) => state === 'fail');
    const names = failed.map(([name]) => name).join(', ') || `answered ${error.status}`;
    const text = `The service is not ready (${names}). Check its log. While a channel is down, live updates are delayed.`;
    return [finding('fault', 'readiness', text)];
  }
};

/** If the service doesn't trust its proxy, all clients share one rate limit. */
export const checkProxy: Check = async ({ client, signal }) => {
  const { headers } = await client.getVersion({ signal });
  const trust = headers.get(headerNames.proxyTrust);
  if (trust === 'trusted')
    return [finding('ok', 'proxy', 'The service trusts its proxy, so rate limits apply per client.')];
  if (trust !== 'untrusted') return [];
  const text =
    "The service doesn't trust its proxy, so all clients share one rate limit and may get 429. Add the proxy's address (see the service log) to TRUSTED_PROXIES.";
  return [finding('fault', 'proxy', text)];
};

const skewSecondsMax = 30;

/** Checks the clocks, because events have the reporter's time, and an event dated in the future hides later ones. */
export const checkClock: Check = async ({ client, clock, signal }) => {
  const before = clock.now().getTime();
  const { headers } = await client.getLiveness({ signal });
  const after = clock.now().getTime();
  const serverMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(serverMs)) return [finding('note', 'clock', 'The response has no Date header.')];
  // A Date header has whole seconds, so on average it is half a second in the past.
  const seconds = Math.round((serverMs + 500 - (before + after) / 2) / 1000);
  const difference = `${Math.abs(seconds)} s ${seconds < 0 ? 'ahead of' : 'behind'} the service's`;
  if (Math.abs(seconds) > skewSecondsMax) {
    return [finding('fault', 'clock', `This machine's clock is ${difference}. Synchronize both with NTP.`)];
  }
  return [finding('ok', 'clock', 'The clocks of this machine and the service agree.')];
};
