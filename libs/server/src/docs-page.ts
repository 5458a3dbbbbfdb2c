import {
  type ApiDescription,
  coreTags,
  type Endpoint,
  keyHeaders,
  limits,
  problemKinds,
  type ServedEndpoints,
  statuses,
  statusMeanings,
  type Tags,
} from '@shiplog/contract';
import type { TSchema } from 'typebox';
import { type Html, html, page, prose } from './html.ts';
import { stylePath } from './page-style.ts';

/** The API documentation page. Its links begin with `prefix`; its example commands use `baseUrl`. */
export function docsPage({ served, problemBase, tags = {} }: ApiDescription, prefix: string, baseUrl: string): string {
  const titles: Tags = { ...coreTags, ...tags };
  const groups = [...new Set(Object.values(served).map(({ tag }) => tag))];
  const titleOf = (tag: string) => titles[tag]?.title ?? tag;
  const body = html`
<header>
<h1>Shiplog API</h1>
<p>The live log of what is deployed where. This page is generated from the contract that validates every request.
The machine-readable form is <a href="${prefix}/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Groups"><ul>
${groups.map((tag) => html`<li><a href="#${tag}">${titleOf(tag)}</a></li>`)}
<li><a href="#streams">Streams</a></li><li><a href="#statuses">Statuses</a></li><li><a href="#problems">Problems</a></li>
</ul></nav>
</header>
<main>
<section>
<h2>Basics</h2>
<ul>
<li>Bodies are JSON in UTF-8, at most ${limits.bodyBytes / 1024} KiB, regardless of <code>Content-Type</code>. Unknown fields in a body are refused; unknown query parameters are ignored. Ignore unknown fields of answers.</li>
<li>Every error is <code>application/problem+json</code>; a browser that opens an unknown address gets a page with the same status. Validation errors list every mistake with its location.</li>
<li>Times are RFC 3339 with <code>Z</code> or an offset, and are returned in UTC.</li>
<li>The commands under “Try it” read the keys from the shell variables <code>API_KEY</code> and <code>CONTROL_API_KEY</code>: export them first. A service started without keys accepts the development keys in its README.</li>
<li>Ids are UUIDv7 in commit order: no event is ever added below an id that you have seen.</li>
</ul>
</section>
${groups.map((tag) => groupSection(tag, titleOf(tag), served, baseUrl))}
${streamSection(served)}
<section id="statuses"><h2>Statuses</h2>
${table(
  ['Status', 'Meaning'],
  statuses.map((status) => [html`<code>${status}</code>`, statusMeanings[status]]),
)}
</section>
<section id="problems"><h2>Problems</h2>
${table(
  ['Type', 'Status', 'Title'],
  Object.entries(problemKinds).map(([kind, problem]) => [
    html`<a href="${problemBase.startsWith('/') ? prefix : ''}${problemBase}/${kind}">${problemBase}/${kind}</a>`,
    problem.status,
    problem.title,
  ]),
)}
</section>
</main>`;
  return page({ title: 'Shiplog API', style: `${prefix}${stylePath}`, body });
}

function groupSection(tag: string, title: string, served: ServedEndpoints, baseUrl: string): Html {
  const entries = Object.entries(served).filter(([, endpoint]) => endpoint.tag === tag);
  return html`<section id="${tag}"><h2>${title}</h2>${entries.map(([name, endpoint]) => endpointArticle(name, endpoint, baseUrl))}</section>`;
}

function endpointArticle(name: string, endpoint: Endpoint, baseUrl: string): Html {
  return html`
<article id="${name}">
<h3><span class="method">${endpoint.method}</span> <code>${endpoint.path}</code></h3>
<p><strong>${endpoint.summary}.</strong> ${endpoint.description ? prose(endpoint.description) : ''}</p>
${endpoint.key ? html`<p>Needs <code>${keyHeaders[endpoint.key]}</code>.</p>` : ''}
${fields('Path', endpoint.params)}${fields('Query', endpoint.query)}${fields('Headers', endpoint.headers)}${fields('Body', endpoint.body)}
${table(['Answer', 'Meaning'], answers(endpoint))}
<details><summary>Try it</summary><pre><code>${curlExample(endpoint, baseUrl)}</code></pre></details>
</article>`;
}

function answers(endpoint: Endpoint): Cell[][] {
  return [
    ...Object.entries(endpoint.replies).map(([status, reply]) => [
      status,
      html`${prose(reply.description)}${reply.headers ? html` Headers: ${reply.headers.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}.` : ''}`,
    ]),
    ...Object.entries(endpoint.problems).map(([status, kinds]) => [
      status,
      html`${kinds.map((kind, index) => html`${index > 0 ? ', ' : ''}<code>${kind}</code>`)}`,
    ]),
  ];
}

function streamSection(served: ServedEndpoints): Html {
  const follow = Object.values(served).flatMap(({ stream }) => (stream ? [stream] : []));
  const rows = follow.map((stream) => [
    html`<code>${stream.path}</code>`,
    stream.frameName ?? "the frame's type",
    stream.filter ?? 'none',
    replayText(stream.replayHours),
  ]);
  return html`<section id="streams"><h2>Streams</h2>
<p>Frames have <code>id</code>, <code>event</code> and one line of <code>data</code>. A <code>: ping</code> is sent every ${limits.heartbeatSeconds} seconds; treat a connection as dead after three of these intervals without data. Reconnect with <code>Last-Event-ID</code> to miss nothing; the response header <code>X-Stream-Resume</code> says how the stream resumed.</p>
${table(['Path', 'Frame', 'Filter', 'Replay'], rows)}</section>`;
}

function replayText(hours: number | undefined): string {
  if (hours === undefined) return 'all stored rows';
  return hours === 0 ? 'none' : `${hours} h`;
}

type Cell = string | number | Html;

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  return html`<div class="table"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

type Property = {
  readonly [Text in 'type' | 'format' | 'pattern' | 'description']?: string;
} & {
  readonly [Bound in 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'maxItems']?: number;
} & { readonly enum?: readonly unknown[]; readonly examples?: readonly unknown[]; readonly default?: unknown };

function properties(shape: TSchema | undefined): [string, Property, boolean][] {
  const object = shape as { properties?: Record<string, Property>; required?: readonly string[] } | undefined;
  return Object.entries(object?.properties ?? {}).map(([name, property]) => [
    name,
    property,
    object?.required?.includes(name) ?? false,
  ]);
}

function fields(part: string, shape: TSchema | undefined): Html {
  const rows = properties(shape).map(([name, property, required]) => [
    html`<code>${name}</code>`,
    required ? 'yes' : 'no',
    rule(property),
    prose(property.description ?? ''),
  ]);
  return rows.length === 0 ? html`` : table([part, 'Required', 'Rule', 'Meaning'], rows);
}

function rule(property: Property): string {
  const rules = [
    property.enum ? `one of ${property.enum.join(', ')}` : (property.format ?? property.type),
    property.pattern?.startsWith('^[a-z0-9]') && `matching ${property.pattern}`,
    property.minLength !== undefined && property.minLength > 0 && `at least ${property.minLength} character`,
    property.maxLength !== undefined && `at most ${property.maxLength} characters`,
    property.maxItems !== undefined && `at most ${property.maxItems}`,
    property.minimum !== undefined && `${property.minimum} to ${property.maximum}`,
    property.default !== undefined && `default ${property.default}`,
  ];
  return rules.filter(Boolean).join(', ');
}

/** Pages contain no keys: the reader's shell inserts them (§5 rule 3). */
const keyVariables = { api: 'API_KEY', control: 'CONTROL_API_KEY' } as const;

function curlExample(endpoint: Endpoint, baseUrl: string): string {
  const example = (property: Property) => property.examples?.[0];
  const path = endpoint.path.replace(/\{([a-z_]+)\}/g, (_, name) => {
    const property = properties(endpoint.params).find(([param]) => param === name)?.[1];
    return String((property && example(property)) ?? '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55');
  });
  const lines = [`curl -s${endpoint.stream ? 'N' : ''} ${baseUrl}${path}`];
  if (endpoint.method !== 'GET') lines.push(`-X ${endpoint.method}`);
  if (endpoint.key) lines.push(`-H "${keyHeaders[endpoint.key]}: $${keyVariables[endpoint.key]}"`);
  for (const [name, property, required] of properties(endpoint.headers)) {
    if (required) lines.push(`-H '${name}: ${example(property)}'`);
  }
  const body = properties(endpoint.body).flatMap(([name, property, required]) =>
    required || name === 'version' ? [[name, example(property)] as const] : [],
  );
  if (body.length > 0) lines.push(`-d '${JSON.stringify(Object.fromEntries(body))}'`);
  return lines.join(' \\\n  ');
}
