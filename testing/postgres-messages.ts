/** The letter of a message from the server that is a notice. */
const notice = 'A'.charCodeAt(0);
/** The letter of a message to the server that prepares a statement. */
const parse = 'P'.charCodeAt(0);
const headBytes = 5;
const wholeBytesMax = 64 * 1024;

/**
 * Walks over one direction of a PostgreSQL session as its bytes pass: messages of a letter, a length of four bytes that
 * counts itself, and their content. A message passes when all of it has come; a long one when enough of it has.
 */
class Messages {
  #waiting: Buffer = Buffer.alloc(0);
  #left = 0;
  #kept = true;

  /** Gives the bytes of the messages that are kept. */
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

/** The bytes of the message that begins here; more than any has while its length is not there. */
function sizeOf(message: Buffer): number {
  return message.length < headBytes ? Number.POSITIVE_INFINITY : 1 + message.readUInt32BE(1);
}

/** What a server sends, without the notices in it while they are to be lost. */
export class NoticeFilter {
  readonly #messages = new Messages();

  pass(chunk: Buffer, lost: boolean): Buffer {
    return this.#messages.pass(chunk, (message) => !lost || message[0] !== notice);
  }
}

/** Notes the names of the statements that a client prepares on a connection. */
export class StatementNames {
  readonly #names: Set<string>;
  readonly #messages = new Messages();
  #started = false;

  constructor(names: Set<string>) {
    this.#names = names;
  }

  look(chunk: Buffer): void {
    // The first message of a session has no letter; it comes alone, for the client waits for its answer.
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
