import { crc32 } from 'node:zlib';

const header = (name: string, value: string): Buffer => {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  // 7: a string.
  return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([7]), length, text]);
};

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/**
 * One message of `application/vnd.amazon.eventstream`: lengths and their checksum, headers, payload, checksum of all. Source:
 * docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html and smithy.io's event stream specification.
 */
export const toEventMessage = (type: string, payload: string, kind: 'event' | 'exception' = 'event'): Buffer => {
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ]);
  const body = Buffer.from(payload);
  const lengths = Buffer.concat([word(16 + headers.length + body.length), word(headers.length)]);
  const head = Buffer.concat([lengths, word(crc32(lengths)), headers, body]);
  return Buffer.concat([head, word(crc32(head))]);
};
