import type { Message } from '../domain/message.ts';
import { endStatuses } from '../domain/rule.ts';
import type { TargetEntry } from './target.ts';
import type { TargetNode } from './target-node.ts';

export const addressMembers = ['url', 'url_env', 'url_file'] as const;

/** A target with one address, which gets each message as a JSON body. */
export function addressEntry(node: TargetNode, bodyOf: (message: Message) => object): TargetEntry | undefined {
  const url = node.address('url');
  if (url === undefined) return undefined;
  return {
    ...node.names,
    open: (sender) => ({
      ...node.names,
      defaultStatuses: endStatuses,
      send: async (message, { signal }) => {
        await sender.post({ url, body: JSON.stringify(bodyOf(message)), signal });
        return undefined;
      },
    }),
  };
}
