import type { SeedData, SeedDeployment, SeedRepo } from '@shiplog/companions';
import { Random } from '../random.ts';

const environments = ['dev', 'staging', 'qa', 'preprod', 'prod'] as const;
/** The probability that a chain continues to the next stage. */
const passes = [0.85, 0.75, 0.7, 0.55] as const;
const failureShare = 0.15;
const spanMinutes = 14 * 24 * 60;
const stageMinutes = { min: 5, max: 20 } as const;
const chains = { min: 6, max: 14 } as const;
const people = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;
const names = [
  'orders',
  'billing',
  'search',
  'catalog',
  'users',
  'mail',
  'reports',
  'pricing',
  'stock',
  'media',
] as const;

/** The first id of the first service. Each service reserves ids for a thousand runs, so new ones keep existing ids. */
const firstId = 500_000_000;
const idsOfService = 100_000;

/** Generated services with chains over the last 14 days (CI emulator §6 `random`). */
export function randomDataset(count: number, seed: number): SeedData {
  return { repos: Array.from({ length: count }, (_, index) => service(index, seed)), projects: [] };
}

function service(index: number, seed: number): SeedRepo {
  const random = new Random(seed + index * 7919);
  const name = `${names[index % names.length]}${index < names.length ? '' : `-${Math.floor(index / names.length) + 1}`}`;
  const base = firstId + index * idsOfService;
  const starts = Array.from({ length: random.integer(chains.min, chains.max) }, () => random.integer(150, spanMinutes));
  const workflow = {
    id: base,
    name: `Deploy ${name}`,
    path: `.github/workflows/${name}.yml`,
    yaml: workflowText(name),
  };
  const deployments = starts
    .sort((one, other) => other - one)
    .flatMap((elapsed, chain) => chainOf({ random, firstId: base + chain * 100, elapsed }));
  return { owner: 'random-org', repo: name, workflows: [workflow], environments: [...environments], deployments };
}

function workflowText(name: string): string {
  const jobs = environments.map((environment, index) => {
    const needs = index === 0 ? 'build' : `deploy-${environments[index - 1]}`;
    return `  deploy-${environment}:\n    needs: ${needs}\n    environment: ${environment}\n    runs-on: ubuntu-latest\n`;
  });
  return `name: Deploy ${name}\non: [push]\njobs:\n  build:\n    runs-on: ubuntu-latest\n${jobs.join('')}`;
}

interface Chain {
  readonly random: Random;
  readonly firstId: number;
  /** Minutes from the start of the first stage to the anchor. */
  readonly elapsed: number;
}

/** One run: a deployment for each stage that it reaches; the last one fails or ends the promotion. */
function chainOf({ random, firstId: runId, elapsed }: Chain): SeedDeployment[] {
  const deployments: SeedDeployment[] = [];
  const sha = random.hex(40);
  const creator = people[random.integer(0, people.length - 1)] ?? 'alice';
  let left = elapsed;
  for (const [stage, environment] of environments.entries()) {
    const minutes = random.integer(stageMinutes.min, stageMinutes.max);
    const failed = random.next() < failureShare;
    const id = runId + stage + 1;
    const status = (place: number, state: 'queued' | 'in_progress' | 'success' | 'failure', minute: number) => ({
      id: id * 10 + place,
      state,
      elapsed_minutes: Math.max(0, minute),
    });
    deployments.push({
      id,
      sha,
      ref: 'main',
      environment,
      creator,
      elapsed_minutes: left,
      run_id: runId,
      job: `deploy-${environment}`,
      statuses: [
        status(1, 'queued', left),
        status(2, 'in_progress', left - 1),
        status(3, failed ? 'failure' : 'success', left - minutes),
      ],
    });
    left -= minutes + 1;
    if (failed || random.next() >= (passes[stage] ?? 0)) break;
  }
  return deployments;
}
