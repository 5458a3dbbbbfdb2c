import { createHash } from 'node:crypto';
import { githubHtmlUrl, gitlabHtmlUrl, incidentLabel, type OutageTool } from '@shiplog/companions';
import { type Outage, type Project, pathOf, type Repository } from '../domain/model.ts';
import { person } from '../github/context.ts';
import { repositoryShape } from '../github/shapes.ts';
import { person as gitlabPerson } from '../gitlab/shapes.ts';
import type { HookEvent } from './events.ts';

const pagerUrl = 'https://demo.pagerduty.com';
const alertsUrl = 'https://alerts.example.com';
/** The end of a firing alert. */
const noEnd = '0001-01-01T00:00:00Z';
const reporter = 'alice';

const eventsOf: Readonly<Record<OutageTool, (outage: Outage) => HookEvent[]>> = {
  pagerduty: pagerDutyEvents,
  alertmanager: alertmanagerEvents,
  github: githubIssueEvents,
  gitlab: gitlabIssueEvents,
};

/** The webhooks about the current state of an outage: its end if it has ended, otherwise its start. */
export function outageEvents(outage: Outage): HookEvent[] {
  return eventsOf[outage.tool](outage);
}

/** The webhooks that the tool has sent about an outage. */
export function outageHistory(outage: Outage): HookEvent[] {
  const opening = outageEvents({ ...outage, resolvedAt: undefined });
  return outage.resolvedAt === undefined ? opening : [...opening, ...outageEvents(outage)];
}

/** PagerDuty webhooks v3. */
function pagerDutyEvents(outage: Outage): HookEvent[] {
  const { id, number, title, service, severity, openedAt, resolvedAt } = outage;
  const isOver = resolvedAt !== undefined;
  const event = isOver ? 'incident.resolved' : 'incident.triggered';
  const serviceName = service ?? 'Default Service';
  const serviceId = idOf('P', serviceName);
  const data = {
    id,
    type: 'incident',
    self: `https://api.pagerduty.com/incidents/${id}`,
    html_url: `${pagerUrl}/incidents/${id}`,
    number,
    status: isOver ? 'resolved' : 'triggered',
    incident_key: idOf('K', id),
    created_at: instant(openedAt),
    title,
    service: {
      html_url: `${pagerUrl}/services/${serviceId}`,
      id: serviceId,
      self: `https://api.pagerduty.com/services/${serviceId}`,
      summary: serviceName,
      type: 'service_reference',
    },
    assignees: [],
    escalation_policy: null,
    teams: [],
    priority:
      severity === undefined ? null : { id: idOf('R', severity), summary: severity, type: 'priority_reference' },
    urgency: 'high',
    conference_bridge: null,
    resolve_reason: null,
  };
  const body = {
    event: {
      id: idOf('E', `${id} ${event}`),
      event_type: event,
      resource_type: 'incident',
      occurred_at: instant(resolvedAt ?? openedAt),
      agent: null,
      client: null,
      data,
    },
  };
  return [{ event, body }];
}

/** The webhook of Alertmanager, version 4, with one alert. */
function alertmanagerEvents(outage: Outage): HookEvent[] {
  const { id, title, service, environment, severity, openedAt, resolvedAt } = outage;
  const status = resolvedAt === undefined ? 'firing' : 'resolved';
  const labels = {
    alertname: 'OutageOfService',
    ...(service !== undefined && { service }),
    ...(environment !== undefined && { environment }),
    severity: severity ?? 'critical',
    incident: id,
  };
  const alert = {
    status,
    labels,
    annotations: { summary: title },
    startsAt: instant(openedAt),
    endsAt: resolvedAt === undefined ? noEnd : instant(resolvedAt),
    generatorURL: `${alertsUrl}/graph?g0.expr=${encodeURIComponent(id)}`,
    fingerprint: digest(JSON.stringify(labels)).slice(0, 16),
  };
  const body = {
    version: '4',
    groupKey: `{}:{incident="${id}"}`,
    truncatedAlerts: 0,
    status,
    receiver: 'shiplog',
    groupLabels: { incident: id },
    commonLabels: labels,
    commonAnnotations: alert.annotations,
    externalURL: alertsUrl,
    alerts: [alert],
  };
  return [{ event: 'alerts', body }];
}

/** GitHub sends one event when an issue is opened, and another for its label. */
function githubIssueEvents({ number, title, place, openedAt, resolvedAt }: Outage): HookEvent[] {
  const repository = place as Repository;
  const changedAt = instant(resolvedAt ?? openedAt);
  const label = { id: 1, name: incidentLabel, color: 'b60205', default: false, description: null };
  const issue = {
    id: number,
    number,
    title,
    html_url: `${githubHtmlUrl}/${pathOf(repository)}/issues/${number}`,
    state: resolvedAt === undefined ? 'open' : 'closed',
    state_reason: resolvedAt === undefined ? null : 'completed',
    labels: [label],
    user: person(reporter),
    created_at: instant(openedAt),
    updated_at: changedAt,
    closed_at: resolvedAt === undefined ? null : changedAt,
  };
  const base = {
    issue,
    repository: repositoryShape(repository),
    organization: { login: repository.owner },
    sender: person(reporter),
  };
  if (resolvedAt !== undefined) return [{ event: 'issues', body: { action: 'closed', ...base } }];
  return [
    { event: 'issues', body: { action: 'opened', ...base } },
    { event: 'issues', body: { action: 'labeled', label, ...base } },
  ];
}

function gitlabIssueEvents({ number, title, place, openedAt, resolvedAt }: Outage): HookEvent[] {
  const project = place as Project;
  const url = `${gitlabHtmlUrl}/${project.path}`;
  const labels = [{ id: 1, title: incidentLabel, color: '#b60205', project_id: project.id, type: 'ProjectLabel' }];
  const body = {
    object_kind: 'issue',
    event_type: 'issue',
    user: gitlabPerson(reporter),
    project: { id: project.id, path_with_namespace: project.path, web_url: url, default_branch: 'main' },
    object_attributes: {
      id: number,
      iid: number,
      title,
      url: `${url}/-/issues/${number}`,
      state: resolvedAt === undefined ? 'opened' : 'closed',
      action: resolvedAt === undefined ? 'open' : 'close',
      confidential: false,
      created_at: gitlabInstant(openedAt),
      updated_at: gitlabInstant(resolvedAt ?? openedAt),
      closed_at: resolvedAt === undefined ? null : gitlabInstant(resolvedAt),
      labels,
    },
    labels,
    changes: {},
  };
  return [{ event: 'Issue Hook', body }];
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** `2021-04-28 21:50:00 UTC`, the format of issue times in webhooks. */
function gitlabInstant(ms: number): string {
  const text = new Date(ms).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An id in PagerDuty's format, such as `PF9KMXH`. */
function idOf(kind: string, text: string): string {
  return `${kind}${digest(text).slice(0, 6).toUpperCase()}`;
}
