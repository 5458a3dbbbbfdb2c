// A minimal service: starts the database, reports that in one line of JSON, and stops when its input ends.
import { startEmbeddedPostgres } from '../../dist/index.js';

const { umask, ...options } = JSON.parse(process.argv[2] ?? '{}');
if (umask !== undefined) process.umask(umask);

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const inputEnded = new Promise((resolve) => process.stdin.once('end', resolve).resume());

try {
  const { stop, onExit, ...facts } = await startEmbeddedPostgres({ ...options, log: (line) => say({ log: line }) });
  onExit((detail) => say({ exit: detail }));
  say({ started: facts });
  await inputEnded;
  await stop();
} catch (error) {
  say({ refused: { name: error.name, message: error.message } });
  process.exitCode = 1;
}
