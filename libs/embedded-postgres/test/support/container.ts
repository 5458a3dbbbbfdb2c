import { spawnSync } from 'node:child_process';

/**
 * What makes a program see processes as one in a container does: its own alone, counted from 1, and no shared memory but theirs. The folders stay those
 * of the machine. Whoever is not root needs a user namespace for that.
 */
export const asInContainer: readonly string[] = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user']),
  ...['--pid', '--ipc', '--fork', '--mount-proc', '--kill-child', '--'],
];

const [file = '', ...args] = [...asInContainer, 'true'];

/** Not everywhere: macOS has no such thing, and many a container may not make another one. */
export const canMakeContainers = spawnSync(file, args).status === 0;

if (!canMakeContainers) {
  process.stderr.write('embedded-postgres: what needs two containers is skipped: unshare --pid is not possible here\n');
}
