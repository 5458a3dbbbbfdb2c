import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '@shiplog/server';
import { expect, onTestFinished, test } from 'vitest';
import { type Program, readLogLine, runDemo, screenOn } from '../src/index.ts';

const main = fileURLToPath(new URL('support/program.mjs', import.meta.url));

/** A run with scripted programs. */
class Run {
  readonly lines: string[] = [];
  folder = '';
  readonly #diary: string;
  readonly #ending = new AbortController();
  readonly #shown: Promise<ReadonlyMap<string, string>>;
  readonly over: Promise<void>;

  constructor(programs: readonly Program[]) {
    const place = mkdtempSync(join(tmpdir(), 'shiplog-launcher-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    this.#diary = join(place, 'diary');
    let onShown: (urls: ReadonlyMap<string, string>) => void = () => undefined;
    this.#shown = new Promise((resolve) => {
      onShown = resolve;
    });
    this.over = runDemo(
      {
        programs,
        environment: { DIARY: this.#diary },
        screen: screenOn({ write: (text) => this.lines.push(text) }),
        show: async (urls, folder) => {
          this.folder = folder;
          onShown(urls);
        },
      },
      this.#ending.signal,
    );
    // Each test awaits this promise. Until then, a rejection must not count as unhandled.
    this.over.catch(() => undefined);
    onTestFinished(async () => {
      this.end();
      await this.over.catch(() => undefined);
    });
  }

  get diary(): readonly string[] {
    return existsSync(this.#diary) ? readFileSync(this.#diary, 'utf8').trimEnd().split('\n') : [];
  }

  /** The URLs of all programs, once they are ready. */
  shown(): Promise<ReadonlyMap<string, string>> {
    return Promise.race([this.#shown, this.over.then(() => new Map())]);
  }

  end(): void {
    this.#ending.abort();
  }

  async fault(): Promise<string> {
    const error = await this.over.then(
      () => undefined,
      (fault: unknown) => fault,
    );
    expect(error).toBeInstanceOf(StartError);
    return (error as StartError).message;
  }
}

function program(name: string, fields: Partial<Program> = {}): Program {
  return { name, main, port: 0, portVariable: 'PORT', settings: () => ({ NAME: name }), ...fields };
}

const service = program('service');
const driver = program('driver', {
  settings: ({ urls }) => ({ NAME: 'driver', UPSTREAM: `-of-${new URL(urls.get('service') ?? '').host}` }),
});

test('programs start in order with the addresses of earlier ones, and stop in reverse order', async () => {
  const run = new Run([service, driver]);
  expect([...(await run.shown())]).toEqual([
    ['service', 'http://service'],
    ['driver', 'http://driver-of-service'],
  ]);
  expect(existsSync(run.folder)).toBe(true);
  run.end();
  await run.over;
  expect(run.diary.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'service started',
    'service runs',
    'driver started',
    'driver runs',
    'driver stopped',
    'service stopped',
  ]);
  expect(existsSync(run.folder)).toBe(false);
});

test('a program gets its settings and only the environment passed to it', async () => {
  const run = new Run([program('service', { port: 0 })]);
  await run.shown();
  expect(run.diary[0]).toEqual('service started on 0 with DIARY,NAME,PORT');
});

test('a program finds its files in the folder of the demo', async () => {
  const run = new Run([program('service', { files: { 'access.yaml': 'shared_key: on\n' } })]);
  await run.shown();
  expect(readFileSync(join(run.folder, 'access.yaml'), 'utf8')).toBe('shared_key: on\n');
});

test('a program that ends before it is ready is reported with its last lines, and the others stop', async () => {
  const fault = 'Shiplog cannot start.\nThe disk is full.';
  const run = new Run([service, program('driver', { settings: () => ({ NAME: 'driver', FAULT: fault }) })]);
  expect(await run.fault()).toBe(
    'The driver exited with 3 before it was ready. Last output:\n  Shiplog cannot start.\n  The disk is full.',
  );
  expect(run.diary.at(-1)).toBe('service stopped');
});

test('a program that is killed later is reported with its last lines, and the others stop', async () => {
  const run = new Run([service, driver]);
  await run.shown();
  const [, pid = ''] = /^driver runs as (\d+)$/m.exec(run.diary.join('\n')) ?? [];
  process.kill(Number(pid), 'SIGKILL');
  expect(await run.fault()).toBe('The driver was terminated by SIGKILL. Last output:\n  warming up\n  ready');
  expect(run.diary.at(-1)).toBe('service stopped');
});

test('no program starts while ports are in use; the error names each port with its variable', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const programs = [
    { ...service, port },
    { ...driver, port, portVariable: 'DRIVER_PORT' },
  ];
  const run = new Run(programs);
  expect(await run.fault()).toBe(
    [
      `Port ${port} is in use by another program. Stop it, or set PORT to a free port.`,
      `Port ${port} is in use by another program. Stop it, or set DRIVER_PORT to a free port.`,
    ].join('\n'),
  );
  expect(run.diary).toEqual([]);

  await new Promise((resolve) => taken.close(resolve));
  const free = new Run([{ ...service, port }]);
  await free.shown();
  expect(free.diary[0]).toContain(`service started on ${port} `);
});

test('a demo that is stopped during its start does not start any more programs', async () => {
  const run = new Run([service, driver]);
  run.end();
  await run.over;
  expect(run.diary.filter((line) => line.startsWith('driver'))).toEqual([]);
});

test.each([
  [
    '{"level":30,"msg":"ready: open it","url":"http://127.0.0.1:3000"}',
    { text: 'ready: open it', url: 'http://127.0.0.1:3000' },
  ],
  ['{"msg":"lost","err":{"message":"no route"},"req":{"url":"/x"}}', { text: 'lost: no route' }],
  ['{"hello":1}', { text: '{"hello":1}' }],
  ['null', { text: 'null' }],
  ['Shiplog cannot start.', { text: 'Shiplog cannot start.' }],
])('the log line %s is shown as plain text', (line, read) => {
  expect(readLogLine(line)).toEqual(read);
});

test('progress is overwritten on a terminal and omitted elsewhere', () => {
  const written = (isTTY: boolean) => {
    let text = '';
    const screen = screenOn({
      isTTY,
      write: (part) => {
        text += part;
      },
    });
    screen.progress('1 of 2');
    screen.line('2 of 2');
    return text;
  };
  expect(written(false)).toBe('2 of 2\n');
  expect(written(true)).toBe('\r\u001b[2K1 of 2\r\u001b[2K2 of 2\n');
});
