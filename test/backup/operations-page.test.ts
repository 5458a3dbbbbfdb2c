import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ServiceMetrics } from '../../apps/service/src/metrics.ts';
import { operationsPage } from './support/recipes.ts';

const root = join(import.meta.dirname, '..', '..');
const alerts = readFileSync(join(root, 'deploy', 'alerts.yml'), 'utf8');
const tableRows = operationsPage.split('\n').filter((line) => line.startsWith('| '));

/** The folders with code that can write log lines in the service's process. */
const sources = ['apps/service/src', 'libs/server/src', 'libs/embedded-postgres/src']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => path.endsWith('.ts'))
  // These modules write log lines only in other programs, which follow a service's streams.
  .filter((path) => !/\/(outages|side-calls)\.ts$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

/** A call of a logger with a literal message; captures the level and the message. */
const logCall =
  /\blog(?:ger)?(?:\.(debug|info|warn|error|fatal))?\(\s*(?:\{(?:[^{}]|\{[^{}]*\})*\},\s*)?(?:'([^']*)'|`([^`]*)`)/g;

function logLines(): { level: string; line: string }[] {
  return [...sources.matchAll(logCall)].map(([, level = 'info', plain, template = '']) => ({
    level,
    line: plain ?? template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…'),
  }));
}

function codesOf(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
}

async function metricNames(): Promise<string[]> {
  const metrics = await new ServiceMetrics().http.registry.getMetricsAsJSON();
  return metrics.map(({ name }) => name);
}

test('docs/operations.md explains every metric, and every explained metric exists', async () => {
  const names = await metricNames();
  const explained = tableRows.flatMap((row) => codesOf(row.split('|')[1] ?? ''));
  expect(names.filter((name) => !explained.includes(name))).toEqual([]);
  const named = [...`${operationsPage}${alerts}`.matchAll(/\b(?:shiplog|http)_[a-z_]+\b/g)]
    .map(([name]) => name.replace(/_bucket$/, ''))
    .filter((name) => name !== 'shiplog_owner');
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

test('docs/operations.md explains every log line, and every explained line exists', () => {
  const lines = logLines();
  expect(lines.length).toBeGreaterThan(15);
  const rows = tableRows.filter((row) => /^\| (debug|info|warn|error|fatal) \|/.test(row));
  const unexplained = lines.filter(
    ({ level, line }) => !rows.some((row) => row.startsWith(`| ${level} |`) && row.includes(`\`${line}\``)),
  );
  expect(unexplained).toEqual([]);
  const named = rows.flatMap((row) => codesOf(row.split('|')[2] ?? ''));
  expect(named.filter((line) => !line.split('…').every((part) => sources.includes(part)))).toEqual([]);
});

test('docs/operations.md has an action for every alert', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !tableRows.some((row) => row.startsWith(`| \`${name}\` |`)))).toEqual([]);
});
