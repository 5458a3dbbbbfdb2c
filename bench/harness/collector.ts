import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a program before its modules. Forces a full garbage collection on SIGUSR2, so that only memory in use remains.
 * Collects twice, because objects with finalizers or weak references may survive the first collection.
 */
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  collect();
});
