import { patterns } from '@shiplog/contract/limits';
import { statuses } from '@shiplog/contract/status';
import type { Given, OptionDefinition } from '../definition.ts';
import { usageFailure } from '../failure.ts';
import { durationOption } from '../time-options.ts';
import type { DeliveryOptions } from './delivery.ts';
import type { GivenMembers } from './event.ts';
import type { PipelineFacts } from './tools.ts';

/** Event fields by option name. */
const members = {
  service: 'service',
  environment: 'environment',
  status: 'status',
  version: 'version',
  happenedAt: 'happened_at',
  deploymentId: 'deployment_id',
  parent: 'parent_deployments',
  runUrl: 'run_url',
  runNumber: 'run_number',
  actor: 'actor',
  ref: 'ref',
  sha: 'sha',
} as const;

export const eventOptions: readonly OptionDefinition[] = [
  { flags: '--service <name>', description: 'the service that is deployed' },
  { flags: '--environment <name>', description: 'the environment it is deployed to' },
  { flags: '--version <version>', description: 'the version that is deployed' },
  {
    flags: '--deployment-id <id>',
    description: 'shared by all events of a deployment (filled in from the CI environment)',
  },
  { flags: '--parent <id...>', description: 'the deployments that this one was promoted from' },
  { flags: '--run-url <url>', description: 'the URL of the run' },
  { flags: '--run-number <number>', description: 'the run number' },
  { flags: '--actor <name>', description: 'the person or system that deploys' },
  { flags: '--ref <ref>', description: 'the git ref' },
  { flags: '--sha <sha>', description: 'the commit' },
  {
    flags: '--reporter <name>',
    description: 'what posts the event, such as deploy-action/github (default on GitHub: shiplog/gha)',
  },
];

export const deliveryOptions: readonly OptionDefinition[] = [
  {
    flags: '--timeout <duration>',
    description: 'total time for posting (default 60s; 8s for run and --best-effort)',
  },
  {
    flags: '--spool <folder>',
    description: 'folder that keeps events while the service is unavailable; the next call sends them',
  },
];

export const statusOption: OptionDefinition = {
  flags: '--status <status>',
  description: 'the status of the deployment',
  choices: statuses,
};

export function givenMembers(options: Given['options']): GivenMembers {
  return Object.fromEntries(Object.entries(members).map(([option, member]) => [member, options[option]]));
}

/** The option that sets the field at a JSON pointer. */
export function flagOf(pointer: string): string {
  const [, member] = pointer.split('/');
  const [option = ''] = Object.entries(members).find(([, name]) => name === member) ?? [];
  return option === '' ? pointer : `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * With best effort, a pipeline is delayed by less than 10 s. @throws Failure for an invalid duration or an empty
 * folder.
 */
export function deliveryOf(
  options: Given['options'],
  isBestEffort: boolean,
): Pick<DeliveryOptions, 'timeoutMs' | 'spool'> {
  const { timeout = isBestEffort ? '8s' : '60s', spool } = options;
  if (spool === '') throw usageFailure('--spool needs the path of a folder.');
  const timeoutMs = durationOption('--timeout', String(timeout));
  return { timeoutMs, ...(spool !== undefined && { spool: String(spool) }) };
}

const reporterPattern = new RegExp(patterns.progressReporter, 'u');

/** The reporter name. @throws Failure for a name that is invalid in the header. */
export function reporterOf(options: Given['options'], facts: PipelineFacts | undefined): string {
  const reporter = String(options.reporter ?? (facts ? `shiplog/${facts.prefix}` : 'shiplog'));
  if (reporterPattern.test(reporter)) return reporter;
  throw usageFailure(
    `--reporter must be at most 128 lower-case letters, digits, dots, slashes and hyphens, such as deploy-action/github.`,
  );
}
