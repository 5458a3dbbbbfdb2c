import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { endpoints, type IncidentsReport, type Matrix } from '@shiplog/contract';
import { descendantsOf, gone, ProgramProcess, removeFolder } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';

/** `npm run demo`, on free ports. */
function spawnDemo(ports: Readonly<Record<string, string>> = { PORT: '0', DRIVER_PORT: '0' }): ProgramProcess {
  return ProgramProcess.spawn('demo', ports);
}

/** Once it has said this; with all processes that it has, and its folder. */
async function running(demo: ProgramProcess, said = 'driver: http') {
  await demo.until(() => demo.output.includes(said) || !demo.running);
  expect(demo.output).toContain(said);
  const processes = descendantsOf(demo.pid);
  expect(processes.filter(({ args }) => /apps\/(service|demo-driver)\//.test(args))).toHaveLength(2);
  const [folder = ''] = processes.flatMap(({ args }) => /-D (\S+)\/data/.exec(args)?.[1] ?? []);
  expect(existsSync(folder)).toBe(true);
  return { processes, folder };
}

/** The URL behind a name of the last block. */
function urlOf(demo: ProgramProcess, name: string): string {
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

test('on SIGTERM it ends as well, also in the middle of the history', async () => {
  const demo = spawnDemo();
  const { processes } = await running(demo);
  expect(await demo.terminate()).toBe(0);
  expect(demo.output).not.toContain('Shiplog is up');
  await gone(processes);
});

test.each([
  ['service', 'service'],
  ['driver', 'demo-driver'],
])('when the %s is killed, all end with a sentence that names it', async (name, app) => {
  const demo = spawnDemo();
  const { processes, folder } = await running(demo);
  const victim = processes.find(({ args }) => args.includes(`apps/${app}/`));
  process.kill(victim?.pid ?? Number.NaN, 'SIGKILL');
  expect(await demo.exited()).toBe(1);
  expect(demo.output).toContain(`\nThe ${name} was ended by SIGKILL. Its last lines:\n  `);
  await gone(processes);
  expect(existsSync(folder)).toBe(false);
});

test('when the demo itself is killed, its programs end by themselves', async () => {
  const demo = spawnDemo();
  const { processes, folder } = await running(demo);
  // Nobody is left to remove it.
  onTestFinished(() => removeFolder(folder));
  await demo.kill();
  await gone(processes);
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
