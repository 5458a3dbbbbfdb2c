import { spawnSync } from 'node:child_process';

/**
 * Runs a program with its own processes and shared memory, as in a container, but with the machine's folders. Users
 * other than root need a user namespace for that.
 */
export const asInContainer: readonly string[] = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user']),
  ...['--pid', '--ipc', '--fork', '--mount-proc', '--kill-child', '--'],
];

const [file = '', ...args] = [...asInContainer, 'true'];

/** False on macOS, and in containers that are not allowed to create others. */
export const canMakeContainers = spawnSync(file, args).status === 0;

if (!canMakeContainers) {
  process.stderr.write('embedded-postgres: tests with two containers are skipped: unshare --pid does not work here\n');
}
