/** What PostgreSQL's own clients take in a URL and the driver does not: several hosts, and which of them is wanted. */

/** A URL for each host that a URL names, in its order; a URL of one host gives itself. */
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

/** Whether each of the hosts is named, and has its port or all have one. */
export function areHostsWhole(url: string): boolean {
  const [, , hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const named = parameterOf(rest, 'host');
  const names = (named ?? hosts).split(',');
  if (names.length > 1 && names.some((name) => name === '')) return false;
  const ports = named === undefined ? [] : (parameterOf(rest, 'port') ?? '').split(',');
  return ports.length <= 1 || ports.length === names.length;
}

/** Host and port that a URL of one host names, for people. */
export function hostName(url: string): string {
  const host = parameterOf(url, 'host');
  if (host === undefined) return new URL(url).host;
  const port = parameterOf(url, 'port');
  return port ? `${host}:${port}` : host;
}

/** Which server the URL asks for; `undefined` = it does not say. */
export function wantedServer(url: string): string | undefined {
  return parameterOf(url, 'target_session_attrs');
}

/** Every session is judged by it anyway (db/database.ts), and the driver does not know it. */
function plain(rest: string): string {
  return without(rest, 'target_session_attrs');
}

function parameterOf(rest: string, name: string): string | undefined {
  const [, value] = new RegExp(`[?&]${name}=([^&#]*)`).exec(rest) ?? [];
  return value === undefined ? undefined : decodeURIComponent(value);
}

function without(rest: string, ...names: readonly string[]): string {
  const [path = '', query = ''] = rest.split('?', 2);
  const kept = query.split('&').filter((pair) => pair !== '' && !names.some((name) => pair.startsWith(`${name}=`)));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
