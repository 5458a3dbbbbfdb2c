import { hash } from 'node:crypto';
import { type DeploymentEventIngest, type FieldError, type OutageRequest, parseInstant } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import type { Json } from '../change.ts';
import { scalarText } from '../domain/variables.ts';
import type { Envelope } from './cloud-events.ts';
import { pointerValue, requiredText } from './delivery-item.ts';
import { outageRow } from './outage-row.ts';

/** The event types that describe a deployment, in any version of CDEvents. */
const taken = /^dev\.cdevents\.service\.(deployed|upgraded|rolledback)(\.|$)/;

/** Reads the deployment in a CDEvent (fetcher §11.3); `undefined` for other event types. @throws Problem */
export function deploymentOf({ type, source, id, data = null, pointer }: Envelope): DeploymentEventIngest | undefined {
  if (!taken.test(type)) return undefined;
  const faults: FieldError[] = [];
  const text = (path: string) => requiredText(pointerValue(data, path), pointer + path, faults);
  const subject = text('/subject/id');
  const service = lastSegment(subject);
  if (subject !== '' && service === '')
    faults.push({ pointer: `${pointer}/subject/id`, message: 'must contain a name' });
  const environment = text('/subject/content/environment/id');
  const happenedAt = timestampOf({ data, pointer }, faults);
  if (faults.length > 0) throw invalid(faults);
  const version = purlVersion(pointerValue(data, '/subject/content/artifactId'));
  return {
    deployment_id: `cde-${hash('sha256', `${source}\n${id}`).slice(0, 32)}`,
    service,
    environment,
    status: 'success',
    happened_at: happenedAt,
    ...(version !== undefined && { version }),
  };
}

const incidents = /^dev\.cdevents\.incident\.(detected|reported|resolved)(\.|$)/;

/** Reads the outage in a CDEvent about an incident; `undefined` for other event types. @throws Problem */
export function incidentOf(name: string, { type, data = null, pointer }: Envelope): OutageRequest | undefined {
  const [, predicate] = incidents.exec(type) ?? [];
  if (predicate === undefined) return undefined;
  const faults: FieldError[] = [];
  const id = requiredText(pointerValue(data, '/subject/id'), `${pointer}/subject/id`, faults);
  const at = timestampOf({ data, pointer }, faults);
  if (faults.length > 0) throw invalid(faults);
  const text = (path: string) => scalarText(pointerValue(data, `/subject/content/${path}`));
  return outageRow(name, {
    ...{ id, at, state: predicate === 'resolved' ? 'resolved' : 'opened' },
    services: [lastSegment(text('service/id'))],
    environments: [text('environment/id')],
    title: text('description'),
    url: text('ticketURI'),
  });
}

/** The time of an event; adds an error if it is missing or invalid. */
function timestampOf({ data = null, pointer }: Pick<Envelope, 'data' | 'pointer'>, faults: FieldError[]): string {
  const path = `${pointer}/context/timestamp`;
  const timestamp = requiredText(pointerValue(data, '/context/timestamp'), path, faults);
  const instant = parseInstant(timestamp);
  if (timestamp !== '' && instant === undefined) {
    faults.push({ pointer: path, message: 'must be an RFC 3339 date-time with an offset' });
  }
  return instant ?? '';
}

function lastSegment(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}

/** The version in a package URL, without qualifiers and subpath (fetcher §15.9). */
function purlVersion(artifact: Json | undefined): string | undefined {
  if (typeof artifact !== 'string' || !artifact.startsWith('pkg:')) return undefined;
  const [path = ''] = artifact.split(/[?#]/);
  const version = path
    .slice(path.lastIndexOf('/') + 1)
    .split('@')
    .slice(1)
    .join('@');
  try {
    return decodeURIComponent(version) || undefined;
  } catch {
    return undefined;
  }
}
