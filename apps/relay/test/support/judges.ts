import { expect } from 'vitest';

/** Checks that text in a message has no effect: no mention, no link, no change of text direction. */
export function expectHarmless(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  expect(text).not.toMatch(/@(?!\u200b)/);
  expect(text).not.toMatch(/:\/\/(?!ci\.acme\/)/);
  expect(text).not.toMatch(/\bwww\.(?!\u200b)/i);
}

interface SlackText {
  readonly type: string;
  readonly text: string;
}

/** Checks a message against Slack's reference of `chat.postMessage` and of blocks; returns its texts. */
export function judgeSlack(body: string): string[] {
  const message = JSON.parse(body) as {
    text: string;
    blocks: { type: string; text: SlackText }[];
    [key: string]: unknown;
  };
  expect(message.text.length).toBeGreaterThan(0);
  expect(message.text.length).toBeLessThanOrEqual(4000);
  expect(message.blocks.length).toBeLessThanOrEqual(50);
  for (const { type, text } of message.blocks) {
    expect([type, text.type]).toEqual(['section', 'mrkdwn']);
    expect(text.text.length).toBeGreaterThan(0);
    expect(text.text.length).toBeLessThanOrEqual(3000);
  }
  expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false });
  const texts = [message.text, ...message.blocks.map(({ text }) => text.text)];
  for (const text of texts) {
    const ownLinks = text.replace(/<https?:\/\/ci\.acme\/[^<>|]*\|(Run|Shiplog)>/g, '');
    expectHarmless(ownLinks);
    expect(ownLinks.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[<>&]/);
    // Only the headline is bold, and formatting characters within a word have no effect.
    expect(ownLinks.replace(/^\*(.*?)\*$/m, '$1')).not.toMatch(/[*`]|(?<![\p{L}\p{N}])[_~]|[_~](?![\p{L}\p{N}])/u);
  }
  return texts;
}

/** Checks a card against the adaptive card schema 1.4 and the 28 KB limit of Teams workflows; returns its texts. */
export function judgeTeams(body: string): string[] {
  expect(Buffer.byteLength(body)).toBeLessThan(28 * 1024);
  const { type, attachments } = JSON.parse(body);
  expect([type, attachments.length]).toEqual(['message', 1]);
  const [{ contentType, content }] = attachments;
  expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
  expect(
    Object.keys(content).filter((key) => !['$schema', 'type', 'version', 'body', 'actions'].includes(key)),
  ).toEqual([]);
  expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
  for (const block of content.body)
    expect(block).toMatchObject({ type: 'TextBlock', text: expect.any(String), wrap: true });
  for (const action of content.actions ?? []) {
    expect(action).toEqual({
      type: 'Action.OpenUrl',
      title: expect.stringMatching(/^(Run|Shiplog)$/),
      url: expect.stringMatching(/^https?:\/\/ci\.acme\//),
    });
  }
  const texts: string[] = content.body.map(({ text }: { text: string }) => text);
  for (const text of texts) {
    expectHarmless(text);
    expectMarkdownEscaped(text);
  }
  return texts;
}

/** Checks a message against Discord's reference of webhooks and embeds; returns its texts. */
export function judgeDiscord(body: string): string[] {
  const { embeds, allowed_mentions, ...more } = JSON.parse(body);
  expect([more, allowed_mentions, embeds.length]).toEqual([{}, { parse: [] }, 1]);
  const [{ title, url, description, color }] = embeds;
  expect(description.length).toBeGreaterThan(0);
  expect(description.length).toBeLessThanOrEqual(4096);
  expect(description.length + (title ?? '').length).toBeLessThanOrEqual(6000);
  expect(Number.isInteger(color) && color >= 0 && color <= 0xffffff).toBe(true);
  if (url !== undefined) expect(url).toMatch(/^https?:\/\/ci\.acme\//);
  expect([undefined, 'Run', 'Shiplog']).toContain(title);
  const words = description.replace(/^\[Shiplog\]\(https:\/\/ci\.acme\/[^()\s]*\)$/m, '');
  expectHarmless(words);
  expectMarkdownEscaped(words.replace(/^\*\*(.*?)\*\*$/m, '$1'));
  return [description];
}

/** Checks an annotation against Grafana's API reference; returns its contents. */
export function judgeGrafana(body: string): { text: string; tags: string[]; time?: number; timeEnd?: number } {
  const annotation = JSON.parse(body);
  const known = ['text', 'tags', 'time', 'timeEnd'];
  expect(Object.keys(annotation).filter((key) => !known.includes(key))).toEqual([]);
  for (const tag of annotation.tags) expectHarmless(tag);
  expectHarmless(annotation.text);
  const ownLinks = annotation.text.replace(/<a href="https?:\/\/ci\.acme\/[^"<>]*" rel="noopener">Run<\/a>/g, '');
  expect(ownLinks.replace(/&(amp|lt|gt|quot);/g, '')).not.toMatch(/[<>&"]/);
  return annotation;
}

function expectMarkdownEscaped(text: string): void {
  const unescaped = text.replace(/\\u\{/g, '').replace(/\\[^0-9A-Za-z\s]/g, '');
  expect(unescaped).not.toMatch(/[*_~`[\]<>|#]/);
}
