import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { findBinaries } from '@shiplog/embedded-postgres';
import { outputOf, versionOf } from './programs.ts';

/** Everything besides the code that affects the figures, by name. */
export type Facts = readonly (readonly [name: string, value: string])[];

/** The machine, the versions of all programs involved, and the commit of `folder`. */
export async function facts(folder: string): Promise<Facts> {
  const memory = `${(totalmem() / 1024 ** 3).toFixed(0)} GB of memory`;
  const [, fileSystem = 'unknown'] = outputOf(['df', '--output=fstype', tmpdir()]).split('\n');
  return [
    ['Machine', `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${memory}`],
    ['Load when the run began', loadavg()[0]?.toFixed(1) ?? 'unknown'],
    ['Kernel', `${type()} ${release()}`],
    ['File system of the temporary folder', fileSystem],
    ['Node', process.version],
    ['Embedded PostgreSQL', (await findBinaries()).version],
    ['pgbench', versionOf('pgbench')],
    ['wrk', versionOf('wrk')],
    ['nginx', versionOf('nginx')],
    ['nchan', versionOf('ngx_nchan_module.so')],
    ['Commit', commit(folder)],
  ];
}

/** Git must not write its index, because other processes may use the same working tree. */
function commit(folder: string): string {
  const id = /^[0-9a-f]{40,}/.exec(outputOf(['git', 'rev-parse', 'HEAD'], folder))?.[0];
  if (id === undefined) return 'unknown';
  const changes = outputOf(['git', '--no-optional-locks', 'status', '--porcelain'], folder);
  return changes === '' ? id : `${id} with changes`;
}
