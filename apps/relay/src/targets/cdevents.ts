import type { EventMessage, Message } from '../domain/message.ts';
import type { TargetEntry } from './target.ts';
import type { TargetNode } from './target-node.ts';

export const cdeventsMembers = ['url', 'url_env', 'url_file', 'token_env', 'token_file'] as const;

/** CloudEvents 1.0, structured, over HTTP (relay §9.4). */
export function readCdevents(node: TargetNode): TargetEntry | undefined {
  const url = node.address('url');
  const token = node.has('token') ? node.headerSecret('token') : undefined;
  if (url === undefined || (node.has('token') && token === undefined)) return undefined;
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return {
    ...node.names,
    open: (sender) => ({
      ...node.names,
      defaultStatuses: ['success'],
      only: ['success'],
      send: async (message, { signal }) => {
        await sender.post({ url, headers, body: JSON.stringify(cloudEventOf(message)), signal });
        return undefined;
      },
    }),
  };
}

const source = '/shiplog/relay';
const specVersion = '0.4.1';
const deployed = 'dev.cdevents.service.deployed.0.2.0';

/** CDEvents has no event for a digest or a test: they have their own type, which other consumers ignore. */
function cloudEventOf(message: Message): object {
  const base = { specversion: '1.0', id: message.id, source, datacontenttype: 'application/json' };
  if (message.kind !== 'deployment') {
    const { kind, id, ...data } = message;
    return { ...base, type: `shiplog.${kind}`, time: message.at, data };
  }
  const { event } = message;
  return { ...base, type: deployed, time: event.happened_at, data: cdeventOf(message) };
}

function cdeventOf({ event, id, shiplogUrl }: EventMessage): object {
  const { service, environment, version, happened_at } = event;
  const artifact = `pkg:generic/${encodeURIComponent(service)}${version ? `@${encodeURIComponent(version)}` : ''}`;
  return {
    context: { version: specVersion, id, source, type: deployed, timestamp: happened_at },
    subject: {
      id: service,
      source,
      type: 'service',
      content: { environment: { id: environment, source }, artifactId: artifact },
    },
    ...(shiplogUrl !== undefined && { customData: { shiplog_url: shiplogUrl } }),
  };
}
