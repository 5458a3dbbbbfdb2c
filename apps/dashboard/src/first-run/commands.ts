import { developmentApiKey, endpoints, keyHeaders } from '@shiplog/contract';
import { shellQuoted } from '@shiplog/text';

/** A command to paste into a shell; the name distinguishes it from the others of its door. */
export interface Command {
  readonly name: string;
  readonly text: string;
}

/** The default key is valid only on loopback. Elsewhere the shell says which variable is missing. */
function keyIn(baseUrl: string): string {
  return isLoopback(baseUrl) ? `\${API_KEY:-${developmentApiKey}}` : `\${API_KEY:?set it to the key of the service}`;
}

export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(baseUrl).hostname);
}

/** The commands that post a first event. */
export function postCommands(baseUrl: string, happenedAt: string): readonly Command[] {
  const url = shellQuoted(`${baseUrl}${endpoints.appendDeployment.path}`);
  const curl = [
    `curl -sS ${url} \\`,
    `  -H "${keyHeaders.api}: ${keyIn(baseUrl)}" -d '{`,
    '  "deployment_id": "first-1",',
    '  "service": "payments-api", "environment": "dev",',
    '  "version": "1.0.0", "status": "success",',
    `  "happened_at": "${happenedAt}"`,
    "}'",
  ];
  const command = [
    `SHIPLOG_URL=${shellQuoted(baseUrl)} \\`,
    `SHIPLOG_API_KEY="${keyIn(baseUrl)}" \\`,
    'shiplog post --service payments-api \\',
    '  --environment dev --version 1.0.0 \\',
    '  --status success --deployment-id first-1',
  ];
  return [
    { name: 'curl', text: curl.join('\n') },
    { name: 'shiplog', text: command.join('\n') },
  ];
}

/**
 * The commands that start the fetcher. They ask for the token, so that it isn't in the history of the shell. Without a
 * control key the fetcher takes no part in resets.
 */
export function connectCommands(baseUrl: string): readonly Command[] {
  const keys = isLoopback(baseUrl) ? [] : [`API_KEY="${keyIn(baseUrl)}" CONTROL_API_KEY="$CONTROL_API_KEY" \\`];
  const start = [...keys, `DASHBOARD_API_BASE_URL=${shellQuoted(baseUrl)} \\`, 'npm run fetcher'];
  const asked = (what: string, name: string) => `printf '${what}: ' && read -r ${name} && \\`;
  const github = [asked('GitHub token', 'TOKEN'), `GITHUB_TOKEN="$TOKEN" GITHUB_REPOS='*' \\`, ...start];
  const gitlab = [
    asked('GitLab token', 'TOKEN'),
    asked('GitLab group', 'GROUP'),
    `GITLAB_TOKEN="$TOKEN" GITLAB_PROJECTS="$GROUP/**" \\`,
    ...start,
  ];
  return [
    { name: 'GitHub', text: github.join('\n') },
    { name: 'GitLab', text: gitlab.join('\n') },
  ];
}

/** The address of the demo. Its port differs from the default, which a service may use already. */
export function demoUrl(baseUrl: string): string {
  return `http://127.0.0.1:${new URL(baseUrl).port === '3010' ? 3020 : 3010}/`;
}

export function demoCommands(baseUrl: string): readonly Command[] {
  const ports = `PORT=${new URL(demoUrl(baseUrl)).port} DRIVER_PORT=0 \\\nEMULATOR_PORT=0 FETCHER_PORT=0 \\`;
  return [
    { name: 'npm', text: `${ports}\nnpm run demo` },
    { name: 'shiplog', text: `${ports}\nshiplog demo` },
  ];
}
