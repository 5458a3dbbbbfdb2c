/**
 * Handles parts of a URL that PostgreSQL's clients accept but the driver doesn't: several hosts and the choice among
 * them.
 */

/** One URL per host of a URL, in order. */
export function hostUrls(url: string): string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = /^(\w+:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const named = parameterOf(rest, 'host');
  if (named === undefined) {
    return hosts.includes(',') ? hosts.split(',').map((host) => `${scheme}${user}${host}${plain(rest)}`) : [url];
  }
  if (!named.includes(',')) return [url];
  const ports = (parameterOf(rest, 'port') ?? '').split(',');
  return named.split(',').map((host, index) => {
    const port = ports.length === 1 ? ports[0] : ports[index];
    const others = without(plain(rest), 'host', 'port');
    const added = `host=${encodeURIComponent(host)}${port ? `&port=${encodeURIComponent(port)}` : ''}`;
    return `${scheme}${user}${hosts}${others}${others.includes('?') ? '&' : '?'}${added}`;
  });
}

/** Whether every host has a name, and there is one port per host or one port for all hosts. */
export function areHostsWhole(url: string): boolean {
  const [, , hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const named = parameterOf(rest, 'host');
  const names = (named ?? hosts).split(',');
  if (names.length > 1 && names.some((name) => name === '')) return false;
  const ports = named === undefined ? [] : (parameterOf(rest, 'port') ?? '').split(',');
  return ports.length <= 1 || ports.length === names.length;
}

/** The host and port of a single-host URL, for messages. */
export function hostName(url: string): string {
  const host = parameterOf(url, 'host');
  if (host === undefined) return new URL(url).host;
  const port = parameterOf(url, 'port');
  return port ? `${host}:${port}` : host;
}

/** The kind of server that the URL requires; `undefined` if it doesn't specify one. */
export function requestedServer(url: string): string | undefined {
  return parameterOf(url, 'target_session_attrs');
}

/** Removes this parameter, because the driver doesn't know it. Every session is checked anyway (db/connections.ts). */
function plain(rest: string): string {
  return without(rest, 'target_session_attrs');
}

function parameterOf(rest: string, name: string): string | undefined {
  const [, value] = new RegExp(`[?&]${name}=([^&#]*)`).exec(rest) ?? [];
  return value === undefined ? undefined : decodeURIComponent(value);
}

function without(rest: string, ...names: readonly string[]): string {
  const [path = '', query = ''] = rest.split('?', 2);
  const others = query.split('&').filter((pair) => pair !== '' && !names.some((name) => pair.startsWith(`${name}=`)));
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
}
