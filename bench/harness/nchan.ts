import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFolder } from './folder.ts';
import { requireProgram } from './programs.ts';
import type { Target } from './publisher.ts';

const answerWithinMs = 5000;

/** nginx with one worker and one nchan channel in memory. The channel keeps all messages of a run. */
export interface Nchan extends Target {
  close(): Promise<void>;
}

/** @throws Absent if nginx or its module is not installed */
export async function startNchan(): Promise<Nchan> {
  const nginx = requireProgram('nginx');
  const module = requireProgram('ngx_nchan_module.so');
  const folder = await openFolder();
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(module, port));
  const child = spawn(nginx, ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'], { stdio: 'inherit' });
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilItListens(port);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    publishPath: '/publish',
    subscribePath: '/subscribe',
    headers: {},
    close,
  };
}

function configuration(module: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  return `
load_module ${module};
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid nginx.pid;
error_log error.log;
events { worker_connections 16384; }
http {
  access_log off;
  keepalive_requests 1000000;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location = /publish {
      nchan_publisher http;
      nchan_channel_id bench;
      nchan_message_buffer_length 10000;
      nchan_message_timeout 5m;
    }
    location = /subscribe {
      nchan_subscriber eventsource;
      nchan_channel_id bench;
      nchan_subscriber_first_message newest;
    }
  }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system assigned no port');
  return address.port;
}

async function untilItListens(port: number): Promise<void> {
  const givenUpAt = performance.now() + answerWithinMs;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (performance.now() > givenUpAt) throw new Error('nginx does not listen', { cause: error });
      await sleep(20);
    } finally {
      socket.destroy();
    }
  }
}
