import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Message } from '../domain/message.ts';
import { endStatuses } from '../domain/rule.ts';
import { plain } from '../domain/shown.ts';
import { wordingOf } from '../domain/wording.ts';
import { NotSent, type Sender } from '../sender/sender.ts';
import type { SendOptions, Target } from './target.ts';
import type { TargetNode } from './target-node.ts';

export const smtpMembers = [
  ...(['host', 'port', 'tls', 'user', 'password_env', 'password_file', 'from', 'to'] as const),
] as const;

interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'tls' | 'none';
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly from: string;
  readonly to: readonly string[];
}

const addressPattern = /^[^\s@<>,;:"\p{Cc}]+@[^\s@<>,;:"\p{Cc}]+$/u;

/** Sends an email to each recipient through a mail server. */
export function readSmtp(node: TargetNode): Target | undefined {
  const tls = node.choice('tls', ['starttls', 'tls', 'none'], 'starttls');
  const port = node.integer('port', { min: 1, max: 65_535, fallback: tls === 'tls' ? 465 : 587 });
  const host = port === undefined ? undefined : node.mailHost(port, tls === 'none');
  const from = node.need('from', (text) => addressPattern.test(text), 'must be an address such as shiplog@acme.com');
  const to = node.texts('to', (text) => addressPattern.test(text), 'must be a list of addresses');
  const user = node.optional('user', (text) => !/\p{Cc}/u.test(text), 'must be a user name');
  if (node.has('password') && !node.has('user')) node.refuse('has a password but no user');
  if (node.has('user') && !node.has('password')) node.refuse('has a user; add password_env or password_file');
  const pass = node.has('password') ? node.secret('password') : undefined;
  if (tls === undefined || port === undefined || host === undefined || from === undefined || to.length === 0) {
    return undefined;
  }
  const auth = user !== undefined && pass !== undefined ? { auth: { user, pass } } : {};
  const server: MailServer = { host, port, tls, from, to, ...auth };
  return { ...node.names, defaultStatuses: endStatuses, send: (message, options) => mail(message, server, options) };
}

async function mail(message: Message, server: MailServer, { sender, signal }: SendOptions): Promise<undefined> {
  const { host, port, tls, from, to, auth } = server;
  const { headline, lines, links } = wordingOf(message, plain);
  // The mailer would resolve the name again, so it gets the address that was checked.
  const address = await addressOf(host, port, sender);
  const timeouts = {
    connectionTimeout: sender.silentMs,
    greetingTimeout: sender.silentMs,
    socketTimeout: sender.silentMs,
  };
  const transport = createTransport({
    ...{ host: address, port, secure: tls === 'tls', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
    ...(auth && { auth }),
    ...timeouts,
    tls: isIP(host.replace(/^\[|\]$/g, '')) === 0 ? { servername: host } : {},
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const stop = () => transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await transport.sendMail({
      ...{ from, to: [...to], subject: `[shiplog] ${headline}` },
      messageId: `<${message.id}.${idDigits(to)}@${from.split('@')[1]}>`,
      text: `${[headline, ...lines, ...(links.length > 0 ? [''] : []), ...links.map(({ url }) => url)].join('\n')}\n`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw mailRefusal(error);
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
  }
}

/** Distinguishes targets by recipients: two emails about the same event to different people need different ids. */
function idDigits(to: readonly string[]): string {
  return Buffer.from(to.join()).toString('hex').slice(0, 16);
}

function addressOf(host: string, port: number, sender: Sender): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return Promise.resolve(bare);
  const guarded = sender.lookupFor(host, port) ?? lookup;
  return new Promise((resolve, reject) => {
    guarded(host, { all: false }, (error, address) => {
      if (!error) resolve(String(address));
      else if (error.code === 'EINNER') reject(new NotSent(error.message));
      else reject(new NotSent(`can't find ${host} (${error.code})`));
    });
  });
}

/** The server's text may repeat the email, so only its code is shown. A permanently refused email is dropped. */
function mailRefusal(error: unknown): NotSent {
  if (error instanceof NotSent) return error;
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  if (responseCode === undefined) return new NotSent(`can't reach the mail server (${code ?? 'connection closed'})`);
  const sentence = `the mail server answered ${responseCode}`;
  if (code === 'EAUTH') return new NotSent(sentence, 'auth_failed');
  return new NotSent(sentence, command === 'DATA' && responseCode >= 500 ? 'dropped' : 'error');
}
