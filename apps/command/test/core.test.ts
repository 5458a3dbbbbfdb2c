import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { productVersion } from '@shiplog/contract';
import { answers, cuts, ScriptedServer, testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { commands } from '../src/commands/commands.ts';
import { call } from './support/call.ts';
import { Spawned } from './support/spawned.ts';

describe('shiplog without a command', () => {
  const running = async (ready: number) => {
    const server = await ScriptedServer.open(answers(404));
    server.script('GET /api/version', answers(200, JSON.stringify({ version: '9.8.7', contract: '1.0.0' })));
    server.script('GET /readyz', answers(ready, '{}'));
    return server;
  };

  test.each([
    [200, 'ready'],
    [503, 'not ready'],
  ])('shiplog lists the commands, and for the readiness status %i reports the service as %s', async (status, state) => {
    const { url } = await running(status);
    const { code, out, err } = await call([], { url });
    expect([code, err]).toEqual([0, '']);
    for (const { name } of commands) expect(out).toContain(name);
    expect(out).toContain(`At ${url}: Shiplog 9.8.7 is running and ${state}.`);
    const json = JSON.parse((await call(['--json', '--url', url])).out);
    expect(json).toEqual({ url, version: '9.8.7', contract: '1.0.0', ready: status === 200 });
  });

  test('shiplog reports that no service answers at the address', async () => {
    const { url } = await ScriptedServer.open(cuts);
    const { code, out } = await call([], { url });
    expect([code, out]).toEqual([0, expect.stringContaining(`At ${url}: Can't reach the service at ${url} (`)]);
  });
});

describe('an unknown command or option', () => {
  test.each([
    [['psot'], 'Unknown command "psot". Run shiplog --help for a list.\n'],
    [['wai', '--service', 'x'], 'Unknown command "wai". Did you mean wait? Run shiplog --help for a list.\n'],
    [['\u001b[2J'], 'Unknown command "\\\\u{1b}[2J". Run shiplog --help for a list.\n'],
    [['--verbose'], 'Unknown option "--verbose". Run shiplog --help for a list.\n'],
    [['wait', '--nothing'], "Unknown option '--nothing'; see --help.\n"],
    [['wait', 'for', 'it'], "Too many arguments for 'wait'. Expected 0 arguments but got 2; see --help.\n"],
    [['wait', '--version'], "Option '--version <version>' argument missing; see --help.\n"],
  ])('refuses the arguments %j', async (args, sentence) => {
    expect(await call(args)).toEqual({ code: 2, out: '', err: sentence });
  });

  test.each(['serve', 'demo', 'mock', 'driver', 'ci-emulator'])(
    'refuses an option for the program %s, which has none',
    async (name) => {
      const err = "Unknown option '--port'; see --help.\n";
      expect(await call([name, '--port', '8000'])).toEqual({ code: 2, out: '', err });
    },
  );
});

describe('the help', () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    'the help of %s has its options and examples',
    async (name, command) => {
      const { code, out, err } = await call([...name.split(' '), '--help']);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^Usage: shiplog ${name} `));
      for (const { flags } of command.options ?? []) expect(out).toContain(flags);
      for (const example of command.examples) expect(out).toContain(`  $ ${example}`);
      if (command.passesThrough)
        expect(out.replace(/\s+/g, ' ')).toContain('Environment variables: docs/settings.md in the package');
    },
  );

  test.each([
    ['fetcher', ['--check', '--json']],
    ['relay', ['--check', '--test TARGET']],
  ])('the help of the program %s has its own options', async (name, options) => {
    const { out } = await call([name, '--help']);
    for (const option of options) expect(out.replace(/\s+/g, ' ')).toContain(option);
  });

  test('the help lists all commands with summaries under their headings', async () => {
    const { out } = await call(['--help']);
    expect(out).toMatch(/Programs:\n {2}serve [\s\S]*In a pipeline:\n {2}post /);
  });

  test('the help ends with examples', async () => {
    expect((await call(['--help'])).out).toMatch(/\nExamples:\n {2}\$ shiplog demo\n/);
  });

  test('--version prints the version, except as an option of a command', async () => {
    expect(await call(['--version'])).toEqual({ code: 0, out: `${productVersion}\n`, err: '' });
    expect((await call(['wait', '--version', 'x'])).err).toContain('--service is required');
  });
});

describe('the settings of a command', () => {
  test.each([
    ['ftp://x', 'SHIPLOG_URL is "ftp://x", which is not'],
    ['http://me:secret@x', 'SHIPLOG_URL is "http://…@x", which is not'],
    ['x', 'SHIPLOG_URL is "x", which is not'],
  ])('an invalid address such as %j is refused without revealing its credentials', async (url, sentence) => {
    expect(await call([], { url })).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
    const byOption = sentence.replace('SHIPLOG_URL', '--url');
    expect(await call(['--url', url])).toMatchObject({ code: 2, err: expect.stringContaining(byOption) });
  });

  test('a key comes from its variable or from its file, and setting both is an error', async () => {
    const path = join(await testFolder(), 'key');
    await writeFile(path, 'of the file\n');
    const server = await ScriptedServer.open(answers(201, '{}'));
    const post = ['post', '--service', 's', '--environment', 'e', '--status', 'queued', '--deployment-id', 'd'];
    const both = await call(post, { url: server.url, env: { SHIPLOG_API_KEY_FILE: path } });
    expect(both).toMatchObject({
      code: 2,
      err: 'SHIPLOG_API_KEY and SHIPLOG_API_KEY_FILE are both set; set only one.\n',
    });
    const env = { SHIPLOG_API_KEY: undefined, SHIPLOG_API_KEY_FILE: path } as unknown as Record<string, string>;
    expect((await call(post, { url: server.url, env })).code).toBe(0);
    expect(server.received.map(({ headers }) => headers['x-api-key'])).toEqual(['of the file']);
  });
});

describe('a service error', () => {
  test.each([
    ['{}', 'The service refused the request (422): status 422\n'],
    [
      '{"title":"No","detail":7,"errors":[{},null,{"pointer":"/x","message":"y"}]}',
      'The service refused the request (422): No\n  /x: y\n',
    ],
    ['{"detail":"","errors":{},"checks":null}', 'The service refused the request (422): status 422\n'],
    ['null', expect.stringContaining('answered 422, but not in the format of Shiplog')],
    ['"x"', expect.stringContaining('answered 422, but not in the format of Shiplog')],
  ])('a service error with the problem document %s is printed as a message', async (body, err) => {
    const { url } = await ScriptedServer.open(answers(422, body, { 'content-type': 'application/problem+json' }));
    expect(await call(['components'], { url })).toEqual({ code: 3, out: '', err });
  });

  test('a service error with an unexpected response is printed as a message without a stack trace', async () => {
    const { url } = await ScriptedServer.open(answers(200, '{"items":7}'));
    const { code, err } = await call(['components'], { url });
    expect([code, err]).toEqual([1, expect.stringMatching(/^Internal error \(a bug in Shiplog\): TypeError: .*\n$/)]);
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])(
    'the completion script for %s includes every command and option',
    async (shell) => {
      const { code, out } = await call(['completion', shell]);
      expect(code).toBe(0);
      for (const { name, options = [] } of commands) {
        for (const word of name.split(' ')) expect(out).toContain(word);
        for (const { flags } of options) expect(out).toContain(/--([\w-]+)/.exec(flags)?.[1]);
      }
      const syntax = await parsedBy(shell, out);
      if (syntax !== 'not installed') expect(syntax).toBe('');
    },
  );

  test('the bash script completes commands, options and their values', async () => {
    const { out } = await call(['completion', 'bash']);
    const completed = (...words: string[]) =>
      bashSays(
        `${out}\nCOMP_WORDS=(shiplog ${words.map((word) => `'${word}'`).join(' ')})\nCOMP_CWORD=${words.length}\n_shiplog\necho "\${COMPREPLY[*]}"`,
      );
    expect(await completed('ca')).toBe('can-promote');
    expect(await completed('wait', '--t')).toBe('--timeout');
    expect(await completed('post', '--status', 'f')).toBe('failure');
    expect(await completed('access', '')).toBe('explain acts');
    expect(await completed('ke')).toBe('key');
    expect(await completed('key', 'new', '--na')).toBe('--name');
    expect(await completed('access', 'acts', '--k')).toBe('--kind');
  });

  describe('completed names', () => {
    const names = async (...acts: Parameters<typeof ScriptedServer.open>) => {
      const server = await ScriptedServer.open(...acts);
      return { server, said: (kind: string) => call(['completion', kind], { url: server.url }) };
    };

    test('completes names from the service, except those that are unsafe in a shell', async () => {
      const body = JSON.stringify({ items: ['api', 'two words', 'bad\u001b[2J', '$(date)', 'a\u202eb'] });
      const { server, said } = await names(answers(200, body));
      expect(await said('services')).toEqual({ code: 0, out: 'api\ntwo words\n$(date)\n', err: '' });
      await said('environments');
      expect(server.received.map(({ path }) => path)).toEqual(['/api/services', '/api/environments']);
    });

    test('completes no names if the service is unavailable, refuses the request, or has an invalid address', async () => {
      const nothing = { code: 0, out: '', err: '' };
      for (const act of [cuts, answers(503), answers(200, '{}')])
        expect(await (await names(act)).said('services')).toEqual(nothing);
      expect(await call(['completion', 'services'], { url: 'nowhere' })).toEqual(nothing);
    });

    test('completes the names of figures, kinds and views without a service', async () => {
      expect((await call(['completion', 'figures'], { url: 'nowhere' })).out).toContain('change_failure_rate\n');
      expect((await call(['completion', 'kinds'], { url: 'nowhere' })).out).toContain('look-alike\n');
      expect((await call(['completion', 'views'], { url: 'nowhere' })).out).toContain('quality\n');
    });

    const stub = `shiplog() { [ "$*" = 'completion services' ] && printf '%s\\n' 'pay api' 'pay-$(date)' web; }`;

    test('bash completes arguments and options, quoted', async () => {
      const { out } = await call(['completion', 'bash']);
      for (const words of [
        ['history', 'pay'],
        ['post', '--service', 'pay'],
        ['board', '--services', 'pay'],
        ['key', 'new', '--service', 'pay'],
      ]) {
        const line = `COMP_WORDS=(shiplog ${words.join(' ')})\nCOMP_CWORD=${words.length}\n_shiplog\nprintf '%s,' "\${COMPREPLY[@]}"`;
        expect(await bashSays(`${stub}\n${out}\n${line}`)).toBe('pay\\ api,pay-\\$\\(date\\),');
      }
    });

    test.skipIf(!isInstalled('fish'))('fish completes arguments and options', async () => {
      const { out } = await call(['completion', 'fish']);
      const fishStub = `function shiplog; test "$argv" = 'completion services'; and printf '%s\\n' 'pay api' 'pay-$(date)' web; end`;
      for (const words of ['history pay', 'post --service pay', 'board --services pay', 'key new --service pay']) {
        const path = join(await testFolder(), 'completion.fish');
        await writeFile(path, `${fishStub}\n${out}\ncomplete -C 'shiplog ${words}'\n`);
        const { stdout } = spawnSync('fish', ['--no-config', path], { encoding: 'utf8' });
        expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(['pay api', 'pay-$(date)', '']);
      }
    });
  });

  test('an unsupported shell is refused, and the message lists the supported ones', async () => {
    expect(await call(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Supported: bash, zsh, fish'),
    });
    expect((await call(['completion'])).code).toBe(2);
  });
});

test('a reader that closes the pipe early ends the process quietly', async () => {
  const running = new Spawned('', ['--help']);
  running.child.stdout?.destroy();
  expect([await running.ended(), running.err]).toEqual([0, '']);
});

/** Checks the syntax of a script with its shell. The script is in a file, because standard input is a socket here. */
async function parsedBy(shell: string, script: string): Promise<string> {
  const path = join(await testFolder(), `completion.${shell}`);
  await writeFile(path, script);
  const { error, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
  return error ? 'not installed' : stderr;
}

/** Tests with a shell that is not installed are skipped. */
function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0;
}

async function bashSays(script: string): Promise<string> {
  const child = spawn('bash', ['--norc'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(script);
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) said += text;
  return said.trim();
}
