import { endpoints } from '@shiplog/contract';
import { freePort } from '@shiplog/testing/ports';
import { ProgramProcess } from '@shiplog/testing/process';
import { keys, type Place } from '../faults/instance.ts';

/** An instance of the service that uses the cluster. No fault stops the instance itself. */
export class ServiceProcess implements Place {
  readonly name: string;
  readonly url: string;
  readonly quiet = false;
  readonly #process: ProgramProcess;

  static async open(name: string, database: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const port = await freePort();
    const process = ProgramProcess.start('service', {
      ...database,
      API_KEY: keys.api,
      CONTROL_API_KEY: keys.control,
      PORT: String(port),
    });
    await process.ready();
    return new ServiceProcess(name, port, process);
  }

  private constructor(name: string, port: number, process: ProgramProcess) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#process = process;
  }

  /** The complete output. */
  get output(): string {
    return this.#process.output;
  }

  get isRunning(): boolean {
    return this.#process.running;
  }

  async isReady(): Promise<boolean> {
    return fetch(`${this.url}${endpoints.getReadiness.path}`, { signal: AbortSignal.timeout(10_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.#process.kill();
  }
}
