import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';

interface Program {
  readonly child: ChildProcess;
  /** Resolves when the program has written this text to standard output. Rejects if the program ends first. */
  said(words: string): Promise<void>;
  /** The exit code and the output. */
  ended(): Promise<{ code: number | null; output: string; errors: string }>;
}

/** Starts a child process. `start` is the body of a function with the parameters `logger` and `signal`. */
function runProgram(start: string): Program {
  const built = new URL('../dist/index.js', import.meta.url).href;
  const code = `
    const { runMain, StartError } = await import('${built}');
    await runMain(() => ({ logLevel: 'info' }), async (_config, logger, signal) => { ${start} });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return {
    child,
    said: async (words) => {
      while (!output.includes(words)) {
        const ended = closed.then(() => Promise.reject(new Error(`ended without "${words}": ${output}${errors}`)));
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    ended: async () => {
      const [code] = await closed;
      return { code, output, errors };
    },
  };
}

test('a signal during a start aborts it, and the program exits cleanly', async () => {
  const program = runProgram(`
    logger.info('starting');
    await new Promise((_, reject) => {
      setInterval(() => undefined, 1000);
      signal.addEventListener('abort', () => reject(new Error('given up')));
    });`);
  await program.said('starting');
  program.child.kill('SIGTERM');
  const { code, output, errors } = await program.ended();
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toMatch(/"signal":"SIGTERM","msg":"stopping".*\n.*"msg":"stopped"/);
  expect(output).not.toContain('given up');
});

test('a program whose start completes after a signal is stopped', async () => {
  const program = runProgram(`
    logger.info('starting');
    await new Promise((resolve) => {
      const waiting = setInterval(() => undefined, 1000);
      signal.addEventListener('abort', () => { clearInterval(waiting); setImmediate(resolve); });
    });
    return { stop: async () => logger.info('stopping the parts') };`);
  await program.said('starting');
  program.child.kill('SIGINT');
  const { code, output } = await program.ended();
  expect(code).toBe(0);
  expect(output).toMatch(/"signal":"SIGINT","msg":"stopping".*\n.*"msg":"stopping the parts".*\n.*"msg":"stopped"/);
});

test('a failed start exits with 1 and its message', async () => {
  const program = runProgram(`throw new StartError('Mend this.');`);
  expect(await program.ended()).toMatchObject({ code: 1, errors: '\nShiplog cannot start.\nMend this.\n\n' });
});

test('warnings of Node and libraries are written to the log', async () => {
  const program = runProgram(`
    process.emitWarning('this is\\nno good');
    // A timer keeps the process alive, because waiting for a signal does not.
    const running = setInterval(() => undefined, 1000);
    setImmediate(() => process.kill(process.pid, 'SIGTERM'));
    return { stop: async () => clearInterval(running) };`);
  const { output, errors } = await program.ended();
  expect(errors).toBe('');
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: 'this is\nno good' }));
});
