/** Hosts that may use HTTP and internal addresses (relay §9): names or addresses, with or without a port. */
export type AllowedHosts = ReadonlySet<string>;

const standardPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** An item of `allow_hosts` in the form used in URLs, with its port if any; `undefined` if it isn't a host. */
export function allowedHost(text: string): string | undefined {
  if (/[/?#@\s]/.test(text)) return undefined;
  const [, host = text, port] =
    /^(.*?):(\d{1,5})$/.exec(text.includes(']') || /^[^:]*:\d+$/.test(text) ? text : '') ?? [];
  const hostname = hostnameOf(host);
  return hostname === undefined ? undefined : hostname + (port === undefined ? '' : `:${Number(port)}`);
}

/** Normalizes a host as URLs do: IPv4 addresses with four decimal parts, IPv6 addresses in brackets. */
export function hostnameOf(host: string): string | undefined {
  const written = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = `http://${written}/`;
  if (written === '' || /[/?#@\s\\]/.test(written) || !URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return port === '' ? hostname.replace(/\.$/, '') : undefined;
}

export function isAllowed(allowed: AllowedHosts, hostname: string, port: string | number): boolean {
  const host = hostname.replace(/\.$/, '');
  return allowed.has(host) || allowed.has(`${host}:${port}`);
}

export function portOf({ protocol, port }: URL): string {
  return port || (standardPorts[protocol] ?? '');
}
