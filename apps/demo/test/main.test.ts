import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { endpoints, type IncidentsReport, type Matrix } from '@shiplog/contract';
import { gone } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { running, spawnDemo } from './support/demo-process.ts';

/** The URL behind a name of the last block. */
function urlOf(demo: ReturnType<typeof spawnDemo>, name: string): string {
  return new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(demo.output)?.[1] ?? '';
}

async function readJson<Body>(url: string): Promise<Body> {
  const answer = await fetch(url);
  expect(answer.status, url).toBe(200);
  return (await answer.json()) as Body;
}

test('one command gives a filled log with a panel, and ends on SIGINT without leaving anything', async () => {
  const demo = spawnDemo();
  const { processes, folder } = await running(demo, 'Ctrl-C');
  expect(demo.output).toContain('Shiplog is up');
  expect(demo.output).toContain(`The data lies in ${folder} `);
  expect(demo.output).toMatch(/history: (\d+) of \1 events\n/);
  expect(demo.output).toMatch(/demo-set: 47 of 47 events\n/);
  const board = urlOf(demo, 'Board');
  const page = await fetch(board);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  expect(await page.text()).toContain('<title>Shiplog</title>');
  const { rows, environments } = await readJson<Matrix>(new URL(endpoints.getMatrix.path, board).href);
  expect(demo.output).toContain(`${rows.length} services in ${environments.length} environments`);
  expect(rows.length).toBeGreaterThanOrEqual(10);
  const incidents = new URL(`${endpoints.getIncidents.path}?window=30d`, board).href;
  expect((await readJson<IncidentsReport>(incidents)).incidents).not.toEqual([]);
  const panel = await fetch(urlOf(demo, 'Panel'));
  expect([panel.status, panel.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  await panel.text();

  demo.child.kill('SIGINT');
  expect(await demo.exited()).toBe(0);
  await gone(processes);
  expect(existsSync(folder)).toBe(false);
});

test('a port that is taken gives one sentence and starts nothing', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const demo = spawnDemo({ PORT: '0', DRIVER_PORT: String(port) });
  expect(await demo.exited()).toBe(1);
  expect(demo.output.trim().split('\n').at(-1)).toBe(
    `Port ${port} is taken by another program; stop it, or set DRIVER_PORT to a free one.`,
  );
  expect(demo.output).not.toContain('service');
});
