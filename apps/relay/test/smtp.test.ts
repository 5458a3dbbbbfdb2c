import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Resolve } from '@shiplog/component';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { eventMessage, type Message } from '../src/domain/message.ts';
import { hostileTexts, news, stored } from './support/events.ts';
import { noSignal, secrets, targetOf } from './support/file.ts';
import { expectHarmless } from './support/judges.ts';

/** A mail server that keeps accepted emails as lines. */
async function mailServer(options: SMTPServerOptions = {}) {
  const mails: string[] = [];
  const receivers: string[][] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, closeTimeout: 100 },
    onData(stream, session, callback) {
      let text = '';
      stream.on('data', (piece) => {
        text += piece;
      });
      stream.on('end', () => {
        mails.push(text);
        receivers.push(session.envelope.rcptTo.map(({ address }) => address));
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { mails, receivers, port: (listening.address() as AddressInfo).port };
}

const line = (port: number, more = 'tls: none') =>
  `{ name: a, type: smtp, host: 127.0.0.1, port: ${port}, from: shiplog@acme.test, to: [a@acme.test, b@acme.test], ${more} }`;

/** The headers of an email, unfolded, and its decoded text. */
function partsOf(mail: string): { headers: Map<string, string>; text: string } {
  const [head = '', ...rest] = mail.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
  );
  const body = rest.join('\r\n\r\n');
  const encoding = headers.get('content-transfer-encoding');
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(
          encoding === 'quoted-printable'
            ? body
                .replace(/=\r\n/g, '')
                .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
            : body,
          'latin1',
        );
  return { headers, text: bytes.toString('utf8') };
}

test('an email describes the event and links the run', async () => {
  const { mails, receivers, port } = await mailServer();
  await targetOf(line(port)).send(news({ run_url: 'https://ci.acme/runs/7' }), noSignal);
  const { headers, text } = partsOf(mails[0] ?? '');
  expect(receivers).toEqual([['a@acme.test', 'b@acme.test']]);
  expect(headers.get('subject')).toBe('[shiplog] payments-api 1.4.2 in staging: success');
  expect(headers.get('from')).toBe('shiplog@acme.test');
  expect(text).toContain('by alice');
  expect(text).toContain('\r\nhttps://ci.acme/runs/7\r\n');
});

test('the same message has the same Message-ID on each attempt', async () => {
  const { mails, port } = await mailServer();
  const message = news();
  for (let attempt = 0; attempt < 2; attempt += 1) await targetOf(line(port)).send(message, noSignal);
  const ids = mails.map((mail) => partsOf(mail).headers.get('message-id'));
  expect(ids[0]).toContain(message.id);
  expect(ids[1]).toBe(ids[0]);
});

test.each(hostileTexts)('with %j in every field, the text stays within its email and its header', async (text) => {
  const { mails, receivers, port } = await mailServer();
  const fields = { service: text, environment: text, version: text, actor: text, run_url: text };
  await targetOf(line(port)).send(eventMessage(stored(fields), text), noSignal);
  const { headers, text: body } = partsOf(mails[0] ?? '');
  expect(receivers).toEqual([['a@acme.test', 'b@acme.test']]);
  expect([...headers.keys()]).not.toContain('bcc');
  expectHarmless(body.replaceAll('\r\n', '\n'));
});

test('user and password are sent if the server requests them, and are not in the error message', async () => {
  const asked: unknown[] = [];
  const { mails, port } = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) => {
      asked.push([username, password]);
      if (asked.length === 1) callback(null, { user: 'u' });
      else callback(new Error('no'));
    },
  });
  const target = targetOf(line(port, 'tls: none, user: u, password_env: PASSWORD'));
  await target.send(news(), noSignal);
  expect([asked, mails.length]).toEqual([[['u', secrets.PASSWORD]], 1]);
  await expect(target.send(news(), noSignal)).rejects.toMatchObject({
    ...{ outcome: 'auth_failed', message: 'the mail server answered 535' },
  });
});

test('a permanently refused email is dropped; a refused recipient is retried', async () => {
  const refusal = Object.assign(new Error('no'), { responseCode: 554 });
  const big = await mailServer({
    onData: (stream, _, callback) => void stream.resume().on('end', () => callback(refusal)),
  });
  await expect(targetOf(line(big.port)).send(news(), noSignal)).rejects.toMatchObject({ outcome: 'dropped' });
  const later = await mailServer({
    onRcptTo: (_, __, callback) => callback(Object.assign(new Error(), { responseCode: 450 })),
  });
  await expect(targetOf(line(later.port)).send(news(), noSignal)).rejects.toMatchObject({ outcome: 'error' });
});

test('if STARTTLS is required, nothing is sent without it', async () => {
  const { mails, port } = await mailServer();
  await expect(targetOf(line(port, 'tls: starttls')).send(news(), noSignal)).rejects.toMatchObject({
    outcome: 'error',
  });
  expect(mails).toEqual([]);
});

test('an email is retried if the server does not answer or is unreachable', async () => {
  const { port } = await mailServer({ onConnect: () => undefined });
  const silent = targetOf(line(port), { silentMs: 50 });
  await expect(silent.send(news(), noSignal)).rejects.toMatchObject({ outcome: 'error' });
  await expect(targetOf(line(1)).send(news(), noSignal)).rejects.toMatchObject({
    ...{ message: "can't reach the mail server (ESOCKET)" },
  });
});

test('a mail server name with an internal address is refused, and others are resolved once', async () => {
  const { mails, port } = await mailServer();
  const named = (resolve: Resolve) =>
    targetOf(line(port, 'tls: none').replace('127.0.0.1', 'mx.localhost'), { resolve }).send(
      news() as Message,
      noSignal,
    );
  await expect(named((_, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]))).rejects.toMatchObject({
    message: expect.stringContaining('mx.localhost resolves to an address inside the network'),
  });
  await named((_, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]));
  expect(mails).toHaveLength(1);
});
