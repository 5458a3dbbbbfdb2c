import { PlaceRefused, ToolAway } from '../../src/tool/refusals.ts';
import type { Answer, Page, ToolHttp } from '../../src/tool/tool-http.ts';

/** A tool's response for a path: a body, and the path of the next page. An error is thrown. */
export interface Said {
  readonly body: unknown;
  readonly next?: string | undefined;
}

/** Requests to a tool without limits; records the requested paths. */
export class TestTool implements ToolHttp {
  readonly asked: string[] = [];
  readonly hasTurn = true;
  readonly hasSpare = true;
  nowMs = Date.parse('2026-05-04T09:00:00Z');
  readonly #say: (path: string) => Said | Promise<Said>;

  constructor(say: (path: string) => Said | Promise<Said>) {
    this.#say = say;
  }

  async get<Picked>(path: string, _: AbortSignal, pick: (body: unknown) => Picked): Promise<Answer<Picked>> {
    return { body: picked(pick, (await this.#ask(path)).body), unchanged: false };
  }

  async *pages<Picked>(path: string, _: AbortSignal, pick: (body: unknown) => Picked): AsyncIterable<Page<Picked>> {
    for (let at: string | undefined = path; at !== undefined; ) {
      const { body, next }: Said = await this.#ask(at);
      yield { body: picked(pick, body), unchanged: false, more: next !== undefined };
      at = next;
    }
  }

  post(): Promise<never> {
    throw new Error('requests to GitHub use GET');
  }

  async bytes(path: string): Promise<Uint8Array> {
    return (await this.#ask(path)).body as Uint8Array;
  }

  rediscover(): void {}

  now(): number {
    return this.nowMs;
  }

  settledNow(): number {
    return this.nowMs;
  }

  async #ask(path: string): Promise<Said> {
    this.asked.push(path);
    const said = await this.#say(path);
    if (said.body instanceof Error) throw said.body;
    return said;
  }
}

/** Treats a body of another shape as a fault of the tool. */
function picked<Picked>(pick: (body: unknown) => Picked, body: unknown): Picked {
  try {
    return pick(body);
  } catch (error) {
    throw new ToolAway((error as Error).message);
  }
}

/** Responses by path, with or without the query; other paths are refused. Responses may be changed at any time. */
export function scriptedTool(answers: Record<string, unknown>): TestTool {
  return new TestTool((path) => {
    const [plain = ''] = path.split('?');
    const body = answers[path] ?? answers[plain];
    return { body: body === undefined ? new PlaceRefused('Not Found', 404) : body };
  });
}

/** Sends requests over HTTP, and uses the time in the responses. */
export function emulatedTool(url: string): TestTool {
  const tool = new TestTool(async (path) => {
    const response = await fetch(new URL(path, url), { headers: { authorization: 'Bearer a-token' } });
    tool.nowMs = Date.parse(response.headers.get('date') ?? '');
    if (!response.ok) return { body: new PlaceRefused(`${path}: ${response.status}`, response.status) };
    const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    return { body: await response.json(), next: link };
  });
  return tool;
}
