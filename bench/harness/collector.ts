import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a program before its own modules: it collects all its garbage when it gets SIGUSR2. What is there after
 * that is in use. Twice, as the first collection may leave what only finalizers or weak references still hold.
 */
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  collect();
});
