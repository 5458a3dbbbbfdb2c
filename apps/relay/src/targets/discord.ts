import type { Status } from '@shiplog/contract';
import { escapeMarkdown } from '@shiplog/text';
import type { Message } from '../domain/message.ts';
import { wordingOf } from '../domain/wording.ts';
import { addressTarget, type Target } from './target.ts';
import type { TargetNode } from './target-node.ts';

/** A Discord channel's webhook. */
export function readDiscord(node: TargetNode): Target | undefined {
  return addressTarget(node, (message) => ({ body: JSON.stringify(discordBody(message)) }));
}

const colours: Readonly<Partial<Record<Status, number>>> = { success: 0x2da44e, failure: 0xcf222e };
const otherColour = 0x6e7781;

/** One embed: its description is the message text, and its title, which is plain text, the first link. */
function discordBody(message: Message): object {
  const { headline, lines, links } = wordingOf(message, escapeMarkdown);
  const [title, ...others] = links;
  const colour = message.kind === 'deployment' ? colours[message.event.status] : undefined;
  return {
    embeds: [
      {
        ...title,
        description: [`**${headline}**`, ...lines, ...others.map((link) => `[${link.title}](${link.url})`)].join('\n'),
        color: colour ?? otherColour,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}
