import { patterns } from '@shiplog/contract/limits';
import { statuses } from '@shiplog/contract/status';
import type { Given, OptionDefinition } from '../definition.ts';
import { durationOption } from '../duration-option.ts';
import { usageFailure } from '../failure.ts';
import type { DeliveryOptions } from './delivery.ts';
import type { GivenMembers } from './event.ts';
import type { PipelineFacts } from './tools.ts';

/** The members of an event that options give, each by the name of its option. */
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

/** What `post` and `run` both take of an event. */
export const eventOptions: readonly OptionDefinition[] = [
  { flags: '--service <name>', description: 'what is deployed' },
  { flags: '--environment <name>', description: 'where it is deployed' },
  { flags: '--version <version>', description: 'the version that is deployed' },
  { flags: '--deployment-id <id>', description: 'what the events of one deployment share; a pipeline gives one' },
  { flags: '--parent <id...>', description: 'the deployments that this one was promoted from' },
  { flags: '--run-url <url>', description: 'the page of the run' },
  { flags: '--run-number <number>', description: 'the number of the run' },
  { flags: '--actor <name>', description: 'who deploys' },
  { flags: '--ref <ref>', description: 'the git ref' },
  { flags: '--sha <sha>', description: 'the commit' },
  { flags: '--reporter <name>', description: 'what posts, such as deploy-action/github (shiplog/gha on GitHub)' },
];

/** How they are delivered. */
export const deliveryOptions: readonly OptionDefinition[] = [
  {
    flags: '--timeout <duration>',
    description: 'how long the log may take in all (60s; 8s where nothing depends on it)',
  },
  { flags: '--spool <folder>', description: 'keep events there while the service is away; the next call sends them' },
];

export const statusOption: OptionDefinition = {
  flags: '--status <status>',
  description: 'what became of the deployment',
  choices: statuses,
};

export function givenMembers(options: Given['options']): GivenMembers {
  return Object.fromEntries(Object.entries(members).map(([option, member]) => [member, options[option]]));
}

/** The option that gives what a JSON pointer points at. */
export function flagOf(pointer: string): string {
  const [, member] = pointer.split('/');
  const [option = ''] = Object.entries(members).find(([, name]) => name === member) ?? [];
  return option === '' ? pointer : `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * What nothing depends on holds up a pipeline for less than 10 s.
 * @throws Failure for a duration that is none, or no folder.
 */
export function deliveryOf(
  options: Given['options'],
  isBestEffort: boolean,
): Pick<DeliveryOptions, 'timeoutMs' | 'spool'> {
  const { timeout = isBestEffort ? '8s' : '60s', spool } = options;
  if (spool === '') throw usageFailure('--spool takes the path of a folder.');
  const timeoutMs = durationOption('--timeout', String(timeout));
  return { timeoutMs, ...(spool !== undefined && { spool: String(spool) }) };
}

const reporterPattern = new RegExp(patterns.progressReporter, 'u');

/** @throws Failure for a name that the header does not take. */
export function reporterOf(options: Given['options'], facts: PipelineFacts | undefined): string {
  const reporter = String(options.reporter ?? (facts ? `shiplog/${facts.prefix}` : 'shiplog'));
  if (reporterPattern.test(reporter)) return reporter;
  throw usageFailure(
    `--reporter takes lower-case letters, digits, dots, slashes and hyphens, 128 at most, such as deploy-action/github.`,
  );
}
