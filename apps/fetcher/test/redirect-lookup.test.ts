import type { LookupFunction } from 'node:net';
import type { Resolve } from '@shiplog/component';
import { ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { redirectLookup } from '../src/tool/addresses.ts';
import { exchange } from '../src/tool/wire.ts';

const names: Readonly<Record<string, string>> = {
  'api.tool.example': '203.0.113.7',
  'git.acme.example': '10.1.2.3',
  'metadata.example': '169.254.169.254',
  'home.example': '127.0.0.1',
};
const resolve: Resolve = (hostname, callback) => {
  const address = names[hostname];
  if (address) callback(null, [{ address, family: 4 }]);
  else callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
};

async function followed(from: string, to: string): Promise<string> {
  const server = await ScriptedServer.open((response) => response.end('stored'));
  const url = new URL(to.replace('PORT', new URL(server.url).port));
  const lookup = await redirectLookup(new URL(from), resolve);
  const home: LookupFunction = (_, { all }, done) => {
    if (all) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(null, '127.0.0.1', 4);
  };
  const request = { method: 'GET', url, headers: {}, bytesMax: 100, lookup: lookup ?? home } as const;
  const options = { signal: new AbortController().signal, timeoutMs: 10_000, onHead: () => undefined };
  try {
    return Buffer.from((await exchange(request, options)).body).toString();
  } catch (error) {
    return `${(error as Error).message}; ${server.received.length} requests`;
  }
}

test.each(['metadata.example', 'home.example'])(
  'a redirect from a public address to %s, which resolves to a private address, is refused',
  async (name) => {
    const sentence = `a redirect points to a private network address: ${name}; 0 requests`;
    expect(await followed('https://api.tool.example', `http://${name}:PORT/`)).toBe(sentence);
  },
);

test.each(['https://git.acme.example', 'http://127.0.0.1', 'http://localhost'])(
  'a redirect from a tool with a private address, such as %s, to a private address is followed',
  async (from) => {
    expect(await redirectLookup(new URL(from), resolve)).toBeUndefined();
    expect(await followed(from, 'http://home.example:PORT/')).toBe('stored');
  },
);

test('a redirect to an unknown host name fails like any other', async () => {
  expect(await followed('https://api.tool.example', 'http://none.example:PORT/')).toBe(
    'no complete answer (ENOTFOUND); 0 requests',
  );
});
