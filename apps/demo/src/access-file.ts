import { githubHtmlUrl, gitlabHtmlUrl } from '@shiplog/companions';

/** The name of the access file in the demo's folder. */
export const accessFileName = 'access.yaml';
/** The file at the start. The issuers follow when the emulator's address is known. */
export const firstAccessFile = 'shared_key: on\n';

/** Every pipeline of the demo's owners may post for the services of its repository, in the environment of its job. */
export function accessFileOf(service: string, emulator: string): string {
  const lines = [
    ...['shared_key: on', 'issuers:'],
    `  - { name: github, kind: github, issuer: "${emulator}/_services/token", audience: "${service}", server_url: "${githubHtmlUrl}" }`,
    `  - { name: gitlab, kind: gitlab, issuer: "${emulator}", audience: "${service}", server_url: "${gitlabHtmlUrl}" }`,
    'pipelines:',
    '  - { issuer: github, claims: { repository_owner: demo-org }, may: { services: own, environments: claimed } }',
    '  - { issuer: gitlab, claims: { namespace_path: demo-group }, may: { services: own, environments: claimed } }',
  ];
  return `${lines.join('\n')}\n`;
}
