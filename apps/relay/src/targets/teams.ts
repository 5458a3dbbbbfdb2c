import { escapeMarkdown } from '@shiplog/text';
import type { Message } from '../domain/message.ts';
import { wordingOf } from '../domain/wording.ts';
import { addressTarget, type Target } from './target.ts';
import type { TargetNode } from './target-node.ts';

/** The webhook of a Teams workflow, which accepts an adaptive card. */
export function readTeams(node: TargetNode): Target | undefined {
  return addressTarget(node, (message) => ({ body: JSON.stringify(teamsBody(message)) }));
}

function teamsBody(message: Message): object {
  const { headline, lines, links } = wordingOf(message, escapeMarkdown);
  const block = (text: string, more: object) => ({ type: 'TextBlock', text, wrap: true, ...more });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(headline, { weight: 'Bolder', size: 'Medium' }),
      ...lines.map((line) => block(line, { isSubtle: true, spacing: 'None' })),
    ],
    ...(links.length > 0 && { actions: links.map((link) => ({ type: 'Action.OpenUrl', ...link })) }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}
