/** The default settings of the CI emulator with their bounds, and its limits (CI emulator §2, §5). */
export const emulatorLimits = {
  port: 3100,
  seedMax: 2 ** 32 - 1,
  emitIntervalMs: 8000,
  emitIntervalMsMin: 50,
  emitStepMs: 2000,
  pauseMsMax: 3_600_000,
  githubRateLimit: 5000,
  gitlabRateLimit: 2000,
  rateLimitMax: 1_000_000,
  githubSecondaryLimit: 900,
  secondaryLimitMax: 100_000,
  requestLog: 1000,
  requestLogMax: 100_000,
  deliveriesKept: 1000,
  seedBodyBytes: 4 * 1024 * 1024,
  randomServices: 5,
  randomServicesMax: 100,
  onceMax: 100,
  delayMsMax: 600_000,
} as const;

export const builtInDatasets = ['demo', 'random', 'empty'] as const;

export const ciTools = ['github', 'gitlab'] as const;
export type CiTool = (typeof ciTools)[number];

/** Tools that report outages: incidents, alerts, and issues of the CI tools. */
export const outageTools = ['pagerduty', 'alertmanager', ...ciTools] as const;
export type OutageTool = (typeof outageTools)[number];

/** Whether the outages of a tool are issues. */
export function isCiTool(tool: OutageTool): tool is CiTool {
  return ciTools.some((each) => each === tool);
}

/** The label of the issues that are outages. */
export const incidentLabel = 'incident';

/** The faults that the emulator's identity token issuers can simulate (access.md §7). */
export const issuerFaults = ['down', 'slow', 'wrong-keys'] as const;
export type IssuerFault = (typeof issuerFaults)[number];

export const tokenLimits = {
  /** Seconds. Negative values give expired tokens. */
  expiresInMax: 86_400,
  /** Longer than a post waits for the keys of an issuer (access.md §3.3). */
  slowMs: 6000,
} as const;

export const githubStates = [
  'pending',
  'queued',
  'waiting',
  'in_progress',
  'success',
  'failure',
  'error',
  'inactive',
] as const;
export type GithubState = (typeof githubStates)[number];

export const gitlabStatuses = ['created', 'blocked', 'running', 'success', 'failed', 'canceled', 'skipped'] as const;
export type GitlabStatus = (typeof gitlabStatuses)[number];

export const emissionOutcomes = [...githubStates, 'cancelled', 'rejected'] as const;
export type EmissionOutcome = (typeof emissionOutcomes)[number];

/** Links to runs point to the real sites, as on a real board. */
export const githubHtmlUrl = 'https://github.com';
export const gitlabHtmlUrl = 'https://gitlab.com';

/** The only GraphQL operation that the emulator supports. Its variables are `fullPath` and `iid`. */
export const gitlabJobsOperation = 'ShiplogPipelineJobs';

export const emulatorPanelPath = '/_ci/';
