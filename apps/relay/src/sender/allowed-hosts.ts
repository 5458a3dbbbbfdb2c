/** The hosts for which http and inner addresses are allowed (relay §9): names or numbers, with a port or without. */
export type AllowedHosts = ReadonlySet<string>;

const standardPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The host of an item of `allow_hosts` as URLs spell it, with its port if it has one; `undefined` for anything else. */
export function allowedHost(text: string): string | undefined {
  if (/[/?#@\s]/.test(text)) return undefined;
  const [, host = text, port] =
    /^(.*?):(\d{1,5})$/.exec(text.includes(']') || /^[^:]*:\d+$/.test(text) ? text : '') ?? [];
  const hostname = hostnameOf(host);
  return hostname === undefined ? undefined : hostname + (port === undefined ? '' : `:${Number(port)}`);
}

/** A host as URLs spell it: numbers of IPv4 with four parts, whatever they were written as, those of IPv6 in brackets. */
export function hostnameOf(host: string): string | undefined {
  const written = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = `http://${written}/`;
  if (written === '' || /[/?#@\s\\]/.test(written) || !URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return port === '' ? hostname.replace(/\.$/, '') : undefined;
}

/** Whether a target at this host and port is allowed whatever it is. */
export function isAllowed(allowed: AllowedHosts, hostname: string, port: string | number): boolean {
  const host = hostname.replace(/\.$/, '');
  return allowed.has(host) || allowed.has(`${host}:${port}`);
}

export function portOf({ protocol, port }: URL): string {
  return port || (standardPorts[protocol] ?? '');
}
