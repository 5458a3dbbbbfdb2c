import {
  foreignOrigin,
  html,
  isForeign,
  Problem,
  page,
  pageHeaders,
  pathPrefixOf,
  stylePath,
  wantsPage,
} from '@shiplog/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { pathTo, SignInRefused } from '../access/sign-in.ts';
import type { ServiceConfig } from '../config.ts';

type Config = Pick<ServiceConfig, 'readers' | 'publicUrl' | 'metrics'>;

/** The pages that a person opens; other guarded paths return 401. */
const pages = new Set(['/', '/index.html', '/docs']);
const guardedFiles = new Set([...pages, '/openapi.json', '/metrics']);

/** Guards the routes that aren't endpoints of the API (access.md 5.1, 5.2). Must be added before these routes. */
export function guardPages(app: FastifyInstance, access: Access, config: Config): void {
  const { readers, metrics } = config;
  if (readers === 'open') return;
  const prefix = pathPrefixOf(config.publicUrl);
  app.addHook('onRoute', (route) => {
    if (!guardedFiles.has(route.url) || (route.url === '/metrics' && metrics === 'open')) return;
    route.onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      const judged = await access.readers.judge(request);
      if (!(judged instanceof Problem)) return void access.guard.admit(request, judged);
      const isPage = pages.has(route.url) && wantsPage(request.raw, route.url);
      if (!isPage || judged.status !== 401) throw judged;
      if (readers === 'proxy') throw withPage(judged, 'Not signed in', noHeader, prefix);
      const to = encodeURIComponent(prefix + request.originalUrl);
      return reply.header('Cache-Control', 'no-store').redirect(`${prefix}/login?to=${to}`);
    };
  });
  app.addHook('onSend', async (request, reply) => {
    if (!access.guard.isReader(request) || reply.getHeader('Cache-Control') === 'no-store') return;
    if (reply.statusCode < 400) reply.header('Cache-Control', 'private, no-cache');
  });
}

const noHeader = 'The proxy in front of Shiplog did not say who you are. Open Shiplog through it, or ask its operator.';

/** Sign-in, sign-out and the page of wall displays (access.md 5.4 to 5.7). */
export function addSignIn(app: FastifyInstance, access: Access, { readers, publicUrl }: Config): void {
  const prefix = pathPrefixOf(publicUrl);
  addWall(app);
  if (readers !== 'proxy') addLogin(app, access, prefix);
  app.post('/logout', async (request, reply) => {
    if (isForeign(request.raw.headers, publicUrl)) throw foreignOrigin();
    const { cookies } = access.readers;
    const reader = await access.readers.ofSession(request);
    if (cookies) reply.clearCookie(cookies.session, cookies.options);
    if (reader?.session) await access.sessions?.end(reader.session.id, reader.session.endsMs);
    return reply.header('Cache-Control', 'no-store').redirect(`${prefix}/signed-out`, 303);
  });
  const signedOut = messagePage('Signed out', 'You are signed out of Shiplog.', { prefix, text: 'Open the board' });
  app.get('/signed-out', (_request, reply) => reply.headers(pageHeaders).send(signedOut));
}

/** Time to read the page before the browser starts again. */
const retrySeconds = 2;

function addLogin(app: FastifyInstance, access: Access, prefix: string): void {
  const { signIn } = access;
  app.get<{ Querystring: { to?: unknown } }>('/login', async (request, reply) => {
    const to = pathTo(request.query.to, prefix);
    // With open reads, no sign-in is needed.
    const hasEntered = !signIn || (await access.readers.ofSession(request)) !== undefined;
    const next = hasEntered ? to : await signIn.begin(request, reply, to).catch(rethrownAsPage(prefix));
    return reply.header('Cache-Control', 'no-store').redirect(next);
  });
  if (!signIn) return;
  app.get('/login/callback', async (request, reply) => {
    try {
      const to = await signIn.complete(request, reply).catch(rethrownAsPage(prefix));
      return await reply.header('Cache-Control', 'no-store').redirect(to);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      const path = `/login${error.to === undefined ? '' : `?to=${encodeURIComponent(error.to)}`}`;
      const text = messagePage('Not signed in', error.message, { prefix, path, text: 'Sign in' });
      if (error.isTransient) reply.header('Refresh', `${retrySeconds}; url=${prefix}${path}`);
      return reply
        .code(error.status)
        .headers({ ...pageHeaders, 'Cache-Control': 'no-store' })
        .send(text);
    }
  });
}

/** A person who signs in sees a page, not a problem document. */
function rethrownAsPage(prefix: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Problem ? withPage(error, 'Not signed in', error.message, prefix) : error;
  };
}

function withPage({ kind, options }: Problem, title: string, text: string, prefix: string): Problem {
  return new Problem(kind, { ...options, page: messagePage(title, text, { prefix, text: 'Try again' }) });
}

interface Link {
  readonly prefix: string;
  readonly path?: string;
  readonly text: string;
}

function messagePage(title: string, text: string, link: Link): string {
  return page({
    title: `${title} · Shiplog`,
    style: `${link.prefix}${stylePath}`,
    body: html`
<main>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="${link.prefix}${link.path ?? '/'}">${link.text}</a></p>
</main>`,
  });
}

const wallHeaders = {
  ...pageHeaders,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Exchanges the key in the address of a wall display for a session, and opens the wall. It holds no data. */
const wallScript = `
const key = new URLSearchParams(location.hash.slice(1)).get('key');
history.replaceState(null, '', location.pathname + location.search);
const text = document.querySelector('main p');
const open = () => location.replace('./?layout=wall' + location.search.replace('?', '&'));
if (key === null) open();
else {
  fetch('./api/access/session', { method: 'POST', headers: { 'X-Api-Key': key } }).then(
    async (answer) => {
      if (answer.ok) open();
      else if (answer.status === 401) text.textContent = 'This key is unknown, withdrawn or expired. Open the wall with the address of a current key: /wall#key=…';
      else text.textContent = (await answer.json()).detail;
    },
    () => { text.textContent = "Can't reach Shiplog. Reload this page."; },
  );
}
`;

function addWall(app: FastifyInstance): void {
  const wall = page({
    title: 'Wall · Shiplog',
    style: `.${stylePath}`,
    body: html`<main><h1>Wall</h1><p>Opening the wall…</p></main><script src="./wall.js"></script>`,
  });
  app.get('/wall', (_request, reply) => reply.headers(wallHeaders).send(wall));
  app.get('/wall.js', (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
      .header('content-type', 'text/javascript; charset=utf-8')
      .send(wallScript),
  );
}
