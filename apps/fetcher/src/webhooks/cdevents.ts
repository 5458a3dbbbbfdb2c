import { hash } from 'node:crypto';
import { type DeploymentEventIngest, type FieldError, parseInstant } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import type { Json } from '../change.ts';
import type { Envelope } from './cloud-events.ts';
import { pointerValue, requiredText } from './delivery-item.ts';

/** The event types that describe a deployment, in any version of CDEvents. */
const taken = /^dev\.cdevents\.service\.(deployed|upgraded|rolledback)(\.|$)/;

/** Reads the deployment in a CDEvent (fetcher §11.3); `undefined` for other event types. @throws Problem */
export function deploymentOf({ type, source, id, data = null, pointer }: Envelope): DeploymentEventIngest | undefined {
  if (!taken.test(type)) return undefined;
  const faults: FieldError[] = [];
  const text = (path: string) => requiredText(pointerValue(data, path), pointer + path, faults);
  const subject = text('/subject/id');
  const service = subject.split('/').findLast((segment) => segment !== '') ?? '';
  if (subject !== '' && service === '')
    faults.push({ pointer: `${pointer}/subject/id`, message: 'must contain a name' });
  const environment = text('/subject/content/environment/id');
  const timestamp = text('/context/timestamp');
  const happenedAt = parseInstant(timestamp);
  if (timestamp !== '' && happenedAt === undefined) {
    faults.push({ pointer: `${pointer}/context/timestamp`, message: 'must be an RFC 3339 date-time with an offset' });
  }
  if (faults.length > 0 || happenedAt === undefined) throw invalid(faults);
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
