import { headerNames } from '@shiplog/contract';
import { momentary, Problem } from '@shiplog/server';
import type { EmulatorState } from '../emulator-state.ts';
import type { EmulatorApi } from './api.ts';

/** Identity tokens, and the faults of their issuers (access.md §7, §9.30). */
export function addIssuers(api: EmulatorApi, { issuers }: EmulatorState): void {
  api.serve('createCiToken', async ({ body: { expires_in, ...job } }) =>
    momentary(await issuers.token({ ...job, expiresInSeconds: expires_in })),
  );

  api.serve('getCiIdToken', async ({ query, request }) => {
    if (!/^bearer +\S+$/i.test(request.headers.authorization ?? '')) throw noToken();
    const { token } = await issuers.token({ tool: 'github', ...query });
    return momentary({ value: token });
  });

  api.serve('changeCiIssuer', async ({ params: { tool }, body, bodyText }) => {
    const issuer = issuers[tool];
    if (body.rotate) issuer.rotate();
    // A null counts as absent elsewhere; here it ends the fault.
    if (body.fault) issuer.fault = body.fault;
    else if (bodyText !== '' && 'fault' in JSON.parse(bodyText)) issuer.fault = null;
    return momentary(issuer.state);
  });
}

function noToken(): Problem {
  return new Problem('unauthorized', {
    detail: 'Authorization is missing. Send the value of ACTIONS_ID_TOKEN_REQUEST_TOKEN as Bearer.',
    headers: { [headerNames.wwwAuthenticate]: 'Bearer' },
  });
}
