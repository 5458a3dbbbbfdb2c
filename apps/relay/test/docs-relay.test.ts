import { readFileSync } from 'node:fs';
import { RelayHealth, TargetHealth } from '@shiplog/companions';
import type { Status } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseRelayFile, type RelayFile } from '../src/config/relay-file.ts';
import { matchesRules } from '../src/domain/rule.ts';
import { RelayMetrics } from '../src/metrics.ts';
import { stored } from './support/events.ts';
import { secrets } from './support/file.ts';

const page = readFileSync(new URL('../../../docs/relay.md', import.meta.url), 'utf8');
const [, ...sections] = page.split('\n## ');

const environment = {
  ...{
    SLACK_URL: 'https://hooks.slack.test/a',
    TEAMS_URL: 'https://teams.test/a',
    DISCORD_URL: 'https://discord.test/a',
  },
  ...{ SLACK_TOKEN: secrets.TOKEN, GRAFANA_TOKEN: secrets.TOKEN, CE_TOKEN: secrets.TOKEN },
  ...{ MAIL_PASSWORD: secrets.PASSWORD, HOOK_SECRET: secrets.SIGNING },
};

/** The content of a cell in the first column. */
interface Written {
  readonly service: string;
  readonly environment: string;
  readonly status: Status;
  readonly team?: string;
  readonly stage?: string;
  readonly recovery?: boolean;
  readonly first?: boolean;
}

const files = sections.flatMap((section) => {
  const [, yaml] = /^```yaml\n(.*?)^```$/ms.exec(section) ?? [];
  const [heading = ''] = section.split('\n');
  const rows = [...section.matchAll(/^\| `(\{.*?\})` \| (.*) \|$/gm)].map(([, cell = '', told = '']) => ({
    cell,
    told,
  }));
  return yaml === undefined ? [] : [{ heading, yaml, rows }];
});

/** The targets to which a file sends a deployment, in the notation of the tables. */
async function toldOf({ targets }: RelayFile, cell: string): Promise<string> {
  const { team = '', stage = '', recovery = false, first = false, ...fields }: Written = parse(cell);
  const isInStage = async (names: readonly string[]) => names.includes(stage);
  const facts = { team: async () => team, isInStage, isRecovery: async () => recovery, isFirst: async () => first };
  const names: string[] = [];
  for (const { target, rules } of targets) {
    const { name, defaultStatuses, only } = target;
    const isSent = only?.includes(fields.status) ?? true;
    if (isSent && (await matchesRules(rules, stored(fields), defaultStatuses, facts))) names.push(`\`${name}\``);
  }
  return names.join(', ') || 'none';
}

describe('docs/relay.md', () => {
  test('docs/relay.md contains files with tables', () => {
    expect(files.length).toBeGreaterThanOrEqual(3);
    expect(files.filter(({ rows }) => rows.length === 0)).toEqual([]);
  });

  const rows = files.flatMap(({ heading, yaml, rows: own }) => own.map((row) => ({ heading, yaml, ...row })));
  test.each(rows)('$heading: $cell', async ({ yaml, cell, told }) => {
    expect(await toldOf(parseRelayFile(yaml, 'relay.yaml', environment), cell)).toBe(told);
  });

  test('docs/relay.md documents every member of health and every metric', async () => {
    const [, health = ''] = page.split('\n## Health\n');
    const named = [...health.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual(
      [...Object.keys(RelayHealth.properties), ...Object.keys(TargetHealth.properties)].sort(),
    );
    const metrics = (await new RelayMetrics().http.registry.getMetricsAsJSON()).map(({ name }) => name);
    const own = metrics.filter((name) => name.startsWith('shiplog_relay_'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((name) => !page.includes(name))).toEqual([]);
  });
});
