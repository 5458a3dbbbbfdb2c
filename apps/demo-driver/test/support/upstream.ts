import { type ComponentEvent, type DeploymentEventIngest, endpoints, streams } from '@shiplog/contract';
import { answers, ScriptedServer, sends } from '@shiplog/testing';

export const routes = {
  post: `POST ${endpoints.appendDeployment.path}`,
  report: `POST ${endpoints.reportComponentEvent.path}`,
  reset: `POST ${endpoints.startReset.path}`,
  control: `GET ${streams.control.path}`,
  components: `GET ${streams.components.path}`,
  deployments: `GET ${streams.deployments.path}`,
} as const;

/** A scripted server in place of the service and the other programs that the driver calls. */
export class Upstream extends ScriptedServer {
  static override async open(): Promise<Upstream> {
    const upstream = new Upstream([answers(404, '{}')]);
    upstream.script(routes.post, answers(201, '{}'));
    upstream.script(routes.report, answers(204));
    upstream.script(routes.reset, answers(202, '{}'));
    for (const route of [routes.control, routes.components]) upstream.script(route, sends(': hello\n\n'));
    return upstream.listen();
  }

  /** The posted events, in order of arrival. */
  get posts(): DeploymentEventIngest[] {
    return this.of(routes.post).map(({ body }) => JSON.parse(body.toString()));
  }

  /** The component reports, each as `<event_type> <state> <correlation id>`. */
  get reports(): string[] {
    return this.of(routes.report).map(({ body, headers }) => {
      const { event_type, state }: ComponentEvent = JSON.parse(body.toString());
      return `${event_type} ${state} ${headers['x-correlation-id']}`;
    });
  }

  /** Sends the driver a frame about a step of a reset, as the service does. */
  async tell(type: string, id: string, correlationId = id): Promise<void> {
    const frame = { id, type, component: '*', correlation_id: correlationId, occurred_at: '2026-05-04T09:12:02Z' };
    await this.send(routes.control, `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(frame)}\n\n`);
  }
}
