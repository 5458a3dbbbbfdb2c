// A program as the demo starts it. It logs its start and its stop in a file.
import { appendFileSync } from 'node:fs';

const { NAME, DIARY, PORT, UPSTREAM = '', FAULT } = process.env;
const note = (event) => appendFileSync(DIARY, `${NAME} ${event}\n`);

if (FAULT) {
  process.stderr.write(`\n${FAULT}\n`);
  process.exit(3);
}
process.on('SIGTERM', () => {
  note('stopped');
  process.exit(0);
});
note(`started on ${PORT} with ${Object.keys(process.env).sort()}`);
note(`runs as ${process.pid}`);
setInterval(() => undefined, 60_000);
process.stdout.write(`${JSON.stringify({ msg: 'warming up' })}\n`);
process.stdout.write(`${JSON.stringify({ msg: 'ready', pid: process.pid, url: `http://${NAME}${UPSTREAM}` })}\n`);
