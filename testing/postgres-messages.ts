/** The type of a notification message from the server. */
const notice = 'A'.charCodeAt(0);
/** The type of a client message that prepares a statement. */
const parse = 'P'.charCodeAt(0);
const headBytes = 5;
const wholeBytesMax = 64 * 1024;

/**
 * Splits one direction of a PostgreSQL session into messages: a type letter, a four-byte length that includes itself,
 * and the content. A message is forwarded when it is complete; a long message is forwarded in pieces.
 */
class Messages {
  #waiting: Buffer = Buffer.alloc(0);
  #left = 0;
  #kept = true;

  /** Returns the bytes of the messages that `keep` accepts. */
  pass(chunk: Buffer, keep: (message: Buffer) => boolean): Buffer {
    const bytes = this.#waiting.length > 0 ? Buffer.concat([this.#waiting, chunk]) : chunk;
    this.#waiting = Buffer.alloc(0);
    const kept: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const rest = bytes.subarray(at);
      if (this.#left === 0) {
        if (rest.length < Math.min(sizeOf(rest), wholeBytesMax)) {
          this.#waiting = rest;
          break;
        }
        this.#left = sizeOf(rest);
        this.#kept = keep(rest);
      }
      const piece = rest.subarray(0, this.#left);
      if (this.#kept) kept.push(piece);
      at += piece.length;
      this.#left -= piece.length;
    }
    return kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept);
  }
}

/** The size of the message that begins here. Infinity until the message length has arrived. */
function sizeOf(message: Buffer): number {
  return message.length < headBytes ? Number.POSITIVE_INFINITY : 1 + message.readUInt32BE(1);
}

/** Forwards the messages of a server, but drops notifications while they should be lost. */
export class NoticeFilter {
  readonly #messages = new Messages();

  pass(chunk: Buffer, lost: boolean): Buffer {
    return this.#messages.pass(chunk, (message) => !lost || message[0] !== notice);
  }
}

/** Records the names of the statements that a client prepares on a connection. */
export class StatementNames {
  readonly #names: Set<string>;
  readonly #messages = new Messages();
  #started = false;

  constructor(names: Set<string>) {
    this.#names = names;
  }

  look(chunk: Buffer): void {
    // The first message of a session has no type. It arrives alone, because the client waits for the response.
    if (this.#started) this.#messages.pass(chunk, (message) => this.#note(message));
    this.#started = true;
  }

  #note(message: Buffer): boolean {
    if (message[0] === parse) {
      const name = message.toString('latin1', headBytes, message.indexOf(0, headBytes));
      if (name !== '') this.#names.add(name);
    }
    return false;
  }
}
