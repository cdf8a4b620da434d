import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../is-record.js';

/** Bytes of the longest message that is read; what goes on without a line end is cut there. */
const largestMessage = 256 * 1024 * 1024;

/** Milliseconds in which what was written is read, when the other side is seen to have gone. */
export const readingTime = 250;

/** Splits chunks into lines without their ends; a line above `limit` bytes is told to `onTooLong` and left out. Linear. */
export const lineReader = (limit: number, onLine: (line: string) => void, onTooLong: () => void) => {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    const fitted = size <= limit;
    size += part.length;
    if (size <= limit) parts.push(part);
    else if (fitted) {
      parts = [];
      onTooLong();
    }
  };
  const end = (): void => {
    if (parts.length > 0) onLine(Buffer.concat(parts).toString('utf8').replace(/\r$/, ''));
    parts = [];
    size = 0;
  };
  return {
    push: (chunk: Buffer): void => {
      let start = 0;
      for (let stop = chunk.indexOf(10); stop !== -1; stop = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, stop));
        end();
        start = stop + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    },
    end,
  };
};

/**
 * The protocol over two streams, a message a line: what both sides of a stdio server speak. Lines that are no message are told to
 * `onerror` and skipped. It is closed once, by `close` or when either stream ends
 * (its output: when what came before is read, though others may hold the input open). (The SDK's own joins all that it has at each
 * chunk, and refuses messages above 10 MB.)
 */
export const jsonLines = (
  input: Readable,
  output: Writable,
  parse: (value: unknown) => JSONRPCMessage,
  write: Writable['write'] = output.write.bind(output),
): Transport => {
  let closed = false;
  const transport: Transport = {
    start: async () => {
      const problem = (text: string) => transport.onerror?.(new Error(text));
      // Nobody waits without end: a broken request is answered, a broken answer is the failure of what was asked.
      const refuse = (value: unknown) => {
        const id = isRecord(value) ? value['id'] : undefined;
        if (!isRecord(value) || (typeof id !== 'number' && typeof id !== 'string')) return;
        const isRequest = 'method' in value;
        const message = `the ${isRequest ? 'request' : 'answer'} is no message of the protocol`;
        const error: JSONRPCMessage = { jsonrpc: '2.0', id, error: { code: -32600, message } };
        if (isRequest) transport.send(error).catch(() => {});
        else transport.onmessage?.(error);
      };
      const reader = lineReader(
        largestMessage,
        (line) => {
          if (line.trim() === '') return;
          let value: unknown;
          let message: JSONRPCMessage;
          try {
            value = JSON.parse(line);
            message = parse(value);
          } catch {
            problem(`a line that is no message of the protocol: ${line.slice(0, 100)}`);
            refuse(value);
            return;
          }
          transport.onmessage?.(message);
        },
        () => problem(`a line of more than ${largestMessage} bytes`),
      );
      input.on('data', (chunk: Buffer) => {
        if (!closed) reader.push(chunk);
      });
      for (const event of ['end', 'close', 'error']) input.once(event, () => transport.close());
      // What the other side wrote before it went is read all the same.
      for (const event of ['close', 'error'])
        output.once(event, () => setTimeout(() => transport.close(), readingTime).unref());
      // A second error of a stream must find a listener too.
      for (const stream of [input, output]) stream.on('error', () => {});
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (closed) reject(new Error('the connection is closed'));
        else write(`${JSON.stringify(message)}\n`, 'utf8', (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => {
      if (closed) return;
      closed = true;
      transport.onclose?.();
    },
  };
  return transport;
};
