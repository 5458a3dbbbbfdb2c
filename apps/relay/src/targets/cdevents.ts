import type { EventMessage, Message } from '../domain/message.ts';
import { isNews } from '../domain/news.ts';
import { addressMembers, addressTarget, type Target } from './target.ts';
import type { TargetNode } from './target-node.ts';

export const cdeventsMembers = [...addressMembers, 'token_env', 'token_file'] as const;

/** CloudEvents 1.0, structured, over HTTP (relay §9.4). */
export function readCdevents(node: TargetNode): Target | undefined {
  const token = node.has('token') ? node.headerSecret('token') : undefined;
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const statuses = ['success'] as const;
  return addressTarget(node, (message) => ({ headers, body: JSON.stringify(cloudEventOf(message)) }), {
    ...{ defaultStatuses: statuses, only: statuses },
  });
}

const source = '/shiplog/relay';
const specVersion = '0.4.1';
const deployed = 'dev.cdevents.service.deployed.0.2.0';

/** CDEvents has no event for a digest or a test: they have their own type, which other consumers ignore. */
function cloudEventOf(message: Message): object {
  const base = { specversion: '1.0', id: message.id, source, datacontenttype: 'application/json' };
  if (message.kind !== 'deployment') {
    const { kind, id, ...others } = message;
    const data = isNews(message) ? message.content : others;
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
