import { expect, test } from 'vitest';
import { type Ownership, ownershipOf } from '../src/stale-server.ts';

const dir = '/data/log';
const ours = ['/bin/postgres', '-D', dir, '-c', 'cluster_name=shiplog-1'];

test.each<[string, string[] | undefined, Ownership]>([
  ['our server on this directory', ours, 'ours'],
  ['our server, with the whole command line as one argument', [ours.join(' ')], 'ours'],
  ['another server on this directory', ['postgres', '-D', dir], 'foreign'],
  [
    'our server on another directory',
    ['/bin/postgres', '-D', '/data/other', '-c', 'cluster_name=shiplog-2'],
    'unrelated',
  ],
  ['a server with another spelling of the path', ['postgres', '-D', '../log'], 'foreign'],
  ['a server that got its directory from the environment', ['postgres'], 'foreign'],
  ['a child of a server', ['postgres: shiplog-2: checkpointer'], 'unrelated'],
  ['another program', ['sleep', '600'], 'unrelated'],
  ['a program with an unreadable command line', undefined, 'foreign'],
])('a stale process is classified: %s', async (_, args, verdict) => {
  expect(await ownershipOf(args, dir, 'shiplog-1')).toBe(verdict);
});
