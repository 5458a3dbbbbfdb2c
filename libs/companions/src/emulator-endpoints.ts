import { dateTime, type Endpoint, endpoints, invalid, tooLarge } from '@shiplog/contract';
import { Type } from 'typebox';
import { ciTools, emulatorLimits } from './emulator.ts';
import { CiFaultRequest, CiFaults } from './emulator-faults.ts';
import { CiIdToken, CiIdTokenQuery, CiIssuer, CiIssuerRequest, CiToken, CiTokenRequest } from './emulator-issuers.ts';
import {
  CiClock,
  CiClockRequest,
  CiDeploymentCreated,
  CiDeploymentRequest,
  CiEmission,
  CiEmitRequest,
  CiExport,
  CiOutageRequest,
  CiOutages,
  CiRepository,
  CiRepositoryRequest,
  CiRequests,
  CiSeedRequest,
  CiStatus,
  CiStatusCreated,
  CiStatusRequest,
} from './emulator-shapes.ts';
import { CiDeliveries, CiDelivery, CiWebhookRequest, CiWebhooks } from './emulator-webhooks.ts';

/** The problems that any call with side effects, and any call with a body, may return. */
const posted = { 403: ['forbidden-origin'], ...tooLarge } as const;
const withBody = { ...posted, ...invalid } as const;
const unknown = { 404: ['not-found'] } as const;

const get = { method: 'GET', tag: 'ci', problems: {} } as const;
const post = { method: 'POST', tag: 'ci', sameOrigin: true, problems: withBody } as const;
const remove = { method: 'DELETE', tag: 'ci', sameOrigin: true, problems: { ...posted, ...unknown } } as const;
const removeStored = {
  ...remove,
  replies: { 204: { description: 'The object was deleted. From now on, the tool returns 404 for it.' } },
} as const;

const status = { 200: { description: 'The status of the emulator.', body: CiStatus } } as const;
const emission = { 200: { description: 'Whether emission is on.', body: CiEmission } } as const;
const faults = { 200: { description: 'The rules, in the order in which they apply.', body: CiFaults } } as const;
const clock = { 200: { description: "The emulator's time.", body: CiClock } } as const;
const outages = { 200: { description: 'The outages.', body: CiOutages } } as const;
const webhooks = { 200: { description: 'The targets.', body: CiWebhooks } } as const;

const deployment = Type.Object({
  id: Type.String({
    description: 'The number of the deployment, or its `deployment_id`, which also names the tool.',
    examples: ['gh-deploy-4830001'],
  }),
});
const repository = Type.Object({ owner: Type.String(), repo: Type.String() });

/** The endpoints that control the CI emulator (CI emulator §5). */
export const emulatorEndpoints = {
  getCiStatus: { ...get, path: '/_ci/status', summary: 'Show the status of the emulator', replies: status },
  seedCi: {
    ...post,
    path: '/_ci/seed',
    summary: 'Load a dataset',
    description: 'Adds missing data. With `reset`, clears the store first. Sends no webhooks.',
    body: CiSeedRequest,
    bodyOptional: true,
    bodyBytesMax: emulatorLimits.seedBodyBytes,
    replies: status,
  },
  clearCi: {
    ...post,
    path: '/_ci/clear',
    summary: 'Clear the store',
    description:
      'Clears the store, the request log and the deliveries, and stops emission. Keeps the faults, webhooks, clock and rate limits.',
    replies: status,
    problems: posted,
  },
  getCiEmission: { ...get, path: '/_ci/emit', summary: 'Show whether emission is on', replies: emission },
  emitCi: {
    ...post,
    path: '/_ci/emit',
    summary: 'Emit deployments',
    body: CiEmitRequest,
    bodyOptional: true,
    replies: emission,
  },
  createCiDeployment: {
    ...post,
    path: '/_ci/deployments',
    summary: 'Add a deployment',
    body: CiDeploymentRequest,
    replies: { 201: { description: 'The new deployment. Its webhooks are queued.', body: CiDeploymentCreated } },
  },
  createCiDeploymentStatus: {
    ...post,
    path: '/_ci/deployments/{id}/statuses',
    summary: "Set a deployment's status",
    params: deployment,
    body: CiStatusRequest,
    replies: { 201: { description: 'The deployment with its new status.', body: CiStatusCreated } },
    problems: { ...withBody, ...unknown },
  },
  deleteCiDeployment: {
    ...removeStored,
    path: '/_ci/deployments/{id}',
    summary: 'Remove a deployment',
    params: deployment,
  },
  patchCiRepository: {
    method: 'PATCH',
    path: '/_ci/repositories/{owner}/{repo}',
    tag: 'ci',
    summary: 'Forbid, archive or rename a repository',
    sameOrigin: true,
    params: repository,
    body: CiRepositoryRequest,
    bodyOptional: true,
    replies: { 200: { description: 'The repository.', body: CiRepository } },
    problems: { ...withBody, ...unknown },
  },
  deleteCiRepository: {
    ...removeStored,
    path: '/_ci/repositories/{owner}/{repo}',
    summary: 'Remove a repository',
    params: repository,
  },
  listCiFaults: { ...get, path: '/_ci/faults', summary: 'List the fault rules', replies: faults },
  addCiFault: {
    ...post,
    path: '/_ci/faults',
    summary: 'Add a fault rule',
    description: 'The emulator tries the rules in order. The first rule that matches and is not used up applies.',
    body: CiFaultRequest,
    replies: faults,
  },
  deleteCiFaults: {
    ...remove,
    path: '/_ci/faults',
    summary: 'Remove fault rules',
    query: Type.Object({ id: Type.Optional(Type.String({ description: 'Removes only the rule with this id.' })) }),
    replies: faults,
    problems: { ...posted, ...invalid, ...unknown },
  },
  getCiClock: { ...get, path: '/_ci/clock', summary: 'Show the clock', replies: clock },
  moveCiClock: {
    ...post,
    path: '/_ci/clock',
    summary: 'Move a virtual clock',
    description: 'Moves the clock forward. It cannot go back.',
    body: CiClockRequest,
    bodyOptional: true,
    replies: clock,
    problems: { ...withBody, 409: ['validation'] },
  },
  listCiRequests: {
    ...get,
    path: '/_ci/requests',
    summary: 'List the latest requests to the tools, oldest first',
    query: Type.Object({
      since: Type.Optional(dateTime({ description: 'Returns only requests since this time.' })),
      path: Type.Optional(
        Type.String({ description: 'Returns only requests whose path matches this glob, as in fault rules.' }),
      ),
    }),
    replies: { 200: { description: 'The requests.', body: CiRequests } },
    problems: invalid,
  },
  exportCi: {
    ...get,
    path: '/_ci/export',
    summary: 'Export the expected events',
    description: "Returns the ingest bodies that the fetcher's default rules produce from the store, oldest first.",
    replies: { 200: { description: 'The events.', body: CiExport } },
  },
  listCiOutages: { ...get, path: '/_ci/outages', summary: 'List the outages, oldest first', replies: outages },
  reportCiOutage: {
    ...post,
    path: '/_ci/outages',
    summary: 'Open or resolve an outage',
    description: "Sends PagerDuty's, Alertmanager's or issue webhooks to the targets of the tool.",
    body: CiOutageRequest,
    replies: outages,
    problems: { ...withBody, ...unknown },
  },
  listCiWebhooks: { ...get, path: '/_ci/webhooks', summary: 'List the webhook targets', replies: webhooks },
  addCiWebhook: {
    ...post,
    path: '/_ci/webhooks',
    summary: 'Add a webhook target',
    description: 'Its host must be in `WEBHOOK_HOSTS`. A GitHub target gets a `ping`.',
    body: CiWebhookRequest,
    replies: webhooks,
  },
  deleteCiWebhook: {
    ...remove,
    path: '/_ci/webhooks/{id}',
    summary: 'Remove a webhook target',
    params: Type.Object({ id: Type.String() }),
    replies: webhooks,
  },
  listCiDeliveries: {
    ...get,
    path: '/_ci/deliveries',
    summary: `List the last ${emulatorLimits.deliveriesKept} deliveries, oldest first`,
    replies: { 200: { description: 'The deliveries.', body: CiDeliveries } },
  },
  redeliverCi: {
    ...post,
    path: '/_ci/deliveries/{id}/redeliver',
    summary: 'Send a delivery again',
    description: 'Sends the same body with the same id.',
    params: Type.Object({ id: Type.String() }),
    replies: { 200: { description: 'The finished delivery.', body: CiDelivery } },
    problems: { ...posted, ...unknown },
  },
  createCiToken: {
    ...post,
    path: '/_ci/tokens',
    summary: 'Issue an identity token',
    description: 'Signs the claims of a job of a run, as GitHub Actions or GitLab does. Uses the real clock.',
    body: CiTokenRequest,
    replies: { 200: { description: 'The token and its claims.', body: CiToken } },
  },
  getCiIdToken: {
    ...get,
    path: '/_ci/id-token',
    summary: 'Issue a token to a GitHub job',
    description: 'The URL in `ACTIONS_ID_TOKEN_REQUEST_URL`. Accepts any `Authorization: Bearer`.',
    query: CiIdTokenQuery,
    replies: { 200: { description: 'The token.', body: CiIdToken } },
    problems: { 401: ['unauthorized'], ...invalid },
  },
  changeCiIssuer: {
    ...post,
    path: '/_ci/issuers/{tool}',
    summary: "Rotate an issuer's keys, or make it fail",
    description:
      'With `down`, its discovery document and its keys return 503; with `slow`, they take 6 seconds; with `wrong-keys`, it publishes keys that no token was signed with. Tokens are still issued.',
    params: Type.Object({ tool: Type.Enum([...ciTools]) }),
    body: CiIssuerRequest,
    bodyOptional: true,
    replies: { 200: { description: 'The issuer.', body: CiIssuer } },
    problems: { ...withBody, ...unknown },
  },
  getLiveness: endpoints.getLiveness,
} as const satisfies Record<string, Endpoint>;
