import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { builtDashboard, freePort, testFolder, until } from '@shiplog/testing';
import { inBrowser, launchBrowser } from '@shiplog/testing/browser';
import { expect, onTestFinished, test } from 'vitest';
import { providedService } from '../../service/test/support/sign-in.ts';
import { isLive } from './support/dashboard.ts';

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find((path) => existsSync(path));
if (!nginx) process.stderr.write('dashboard: the sign-in behind nginx is skipped: no nginx on this machine\n');

/** Starts nginx, which removes the prefix of the path. */
async function startPrefix(port: number, serviceUrl: string): Promise<void> {
  const folder = await testFolder();
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${temp.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      server { listen 127.0.0.1:${port};
        location /tools/shiplog/ { proxy_pass ${serviceUrl}/; proxy_http_version 1.1; proxy_buffering off; } } }`,
  );
  const child = spawn(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGTERM'));
  await until(() => listens(port));
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

inBrowser('sign-in behind nginx', () => {
  test.skipIf(!nginx)('twenty tabs sign in at once under a path prefix, and all end when one signs out', async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}/tools/shiplog`;
    const { url } = await providedService(publicUrl, {
      config: { dashboardDir: builtDashboard },
      times: { streamJudgeMs: 20 },
    });
    await startPrefix(port, url);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const context = await browser.newContext();
    context.setDefaultTimeout(60_000);
    const outside: string[] = [];
    context.on('request', (request) => {
      const { origin, href } = new URL(request.url());
      if (origin === new URL(publicUrl).origin && !href.startsWith(`${publicUrl}/`)) outside.push(href);
    });
    const page = await context.newPage();
    const signOut = async () => {
      await page.locator('summary', { hasText: 'Settings' }).click();
      await page.getByText('Signed in as Eve@Acme.example').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${publicUrl}/signed-out`);
    };
    // Afterwards the provider knows the person, and the tabs below start without any Shiplog cookie.
    await page.goto(`${publicUrl}/`);
    await isLive(page);
    await signOut();
    await context.clearCookies({ path: '/tools/shiplog' });
    const tabs = await Promise.all(Array.from({ length: 20 }, () => context.newPage()));
    await Promise.all(tabs.map((tab, index) => tab.goto(`${publicUrl}/docs?tab=${index}`)));
    for (const [index, tab] of tabs.entries()) await tab.waitForURL(`${publicUrl}/docs?tab=${index}`);
    await tabs[1]?.goto(`${publicUrl}/`);
    await page.goto(`${publicUrl}/`);
    for (const tab of [tabs[1] ?? page, page]) await isLive(tab);
    await signOut();
    await tabs[1]?.getByText('Your session ended').waitFor();
    expect(outside).toEqual([]);
  });
});
