import { answeredStatus, CallRefused } from '@shiplog/client';
import { contractVersion, headerNames, productVersion } from '@shiplog/contract';
import { type Check, type Examined, type Finding, finding } from './finding.ts';

const check = 'reach';

/** Whether a Shiplog answers at the address, and how; without it nothing else can be looked at. */
export async function checkReach({ client, url, isLocal, signal }: Examined): Promise<Finding> {
  try {
    await client.getLiveness({ signal });
  } catch (error) {
    const status = answeredStatus(error);
    if (status !== undefined) {
      return finding(
        'fault',
        check,
        `${url} answers ${status}; check the address, with the path of a proxy if it has one.`,
      );
    }
    return finding('fault', check, notReached(url, error));
  }
  if (url.startsWith('https:') || isLocal) return finding('ok', check, `${url} answers.`);
  return finding('note', check, `${url} answers, but without TLS: keys can be read on the way. Put it behind https.`);
}

/** What to do about a connection that was not made, by the code of its error. */
export function notReached(url: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const because = `${url} cannot be reached${code === '' ? '' : ` (${code})`}`;
  if (code === 'CERT_HAS_EXPIRED') return `${because}; renew its certificate.`;
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) {
    return `${because}: its certificate is not trusted; name the authority's file in NODE_EXTRA_CA_CERTS, or mend the certificate.`;
  }
  if (/SSL|TLS|EPROTO/.test(code))
    return `${because}: there is no TLS at this port; try http, or the port of the proxy.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${because}: the name is not known; check it.`;
  return `${because}; check the address, and whether the service runs.`;
}

export const checkVersion: Check = async ({ client, signal }) => {
  const { version, contract } = (await client.getVersion({ signal })).body;
  const major = (text: string) => text.split('.')[0];
  if (major(contract) !== major(contractVersion)) {
    const text = `The service speaks contract ${contract}, this command ${contractVersion}; install the command of the service's version, ${version}.`;
    return [finding('fault', 'version', text)];
  }
  if (version === productVersion) return [finding('ok', 'version', `Service and command are ${version}.`)];
  const text = `The service is ${version}, this command ${productVersion}; they speak the same contract, ${contract}.`;
  return [finding('note', 'version', text)];
};

export const checkReadiness: Check = async ({ client, signal }) => {
  try {
    await client.getReadiness({ signal });
    return [finding('ok', 'readiness', 'The database answers, and all channels are attached.')];
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    const failed = Object.entries(error.problem?.checks ?? {}).filter(([, state]) => state === 'fail');
    const names = failed.map(([name]) => name).join(', ') || `answered ${error.status}`;
    const text = `The service is not ready (${names}); its log says why. Without a channel, news come late.`;
    return [finding('fault', 'readiness', text)];
  }
};

/** A service whose clients all come from the address of a proxy gives all of them together what one client may have. */
export const checkProxy: Check = async ({ client, signal }) => {
  const { headers } = await client.getVersion({ signal });
  const trust = headers.get(headerNames.proxyTrust);
  if (trust === 'trusted')
    return [finding('ok', 'proxy', 'The proxy is trusted, so that each client counts for itself.')];
  if (trust !== 'untrusted') return [];
  const text =
    "The service doesn't trust the proxy before it, so that all clients count as one and may be refused with 429; add the proxy's address to TRUSTED_PROXIES of the service, whose log names it.";
  return [finding('fault', 'proxy', text)];
};

const skewSecondsMax = 30;

/** Events carry the clock of who posts them; what is dated ahead of the service hides what comes after. */
export const checkClock: Check = async ({ client, clock, signal }) => {
  const before = clock.now().getTime();
  const { headers } = await client.getLiveness({ signal });
  const after = clock.now().getTime();
  const told = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(told)) return [finding('note', 'clock', 'The service, or a proxy before it, tells no Date.')];
  // A Date has whole seconds: what it tells is half a second ago on average.
  const seconds = Math.round((told + 500 - (before + after) / 2) / 1000);
  const many = `${Math.abs(seconds)} s ${seconds < 0 ? 'ahead of' : 'behind'} the service's`;
  if (Math.abs(seconds) > skewSecondsMax) {
    return [finding('fault', 'clock', `This machine's clock is ${many}; set both by NTP.`)];
  }
  return [finding('ok', 'clock', 'The clocks of this machine and of the service agree.')];
};
