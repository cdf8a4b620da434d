import type { ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { abortable } from '../abortable.js';
import type { SendContext } from '../backend.js';
import { cutReply } from '../provider-error.js';
import { isRecord, textOf } from '../shape.js';
import { type Accumulated, addEvent, toReply } from './accumulate.js';
import type { BedrockClient } from './client.js';

const byteFields = new Set(['bytes', 'redactedContent']);

/** A request with its bytes as bytes; everything else as it is. */
const withBytes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withBytes);
  if (!isRecord(value) || 'toolUse' in value || 'toolSpec' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      byteFields.has(name) && typeof inner === 'string' ? Buffer.from(inner, 'base64') : withBytes(inner),
    ]),
  );
};

/** A reply without bytes, so that it is JSON. */
const withoutBytes = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
};

/** Status of the failures that come in the middle of a stream, where there is no HTTP status any more. */
const statusOfEvent: Record<string, number> = {
  InternalServerException: 500,
  ModelStreamErrorException: 500,
  ServiceUnavailableException: 503,
  ThrottlingException: 429,
  ValidationException: 400,
};

/** A failure of the SDK under the names that the loop reads; failures of the network stay as they are. */
export const toFailure = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { $metadata: metadata, $response: response, name, message } = error as unknown as Record<string, unknown>;
  const known = isRecord(metadata) ? metadata['httpStatusCode'] : undefined;
  const status =
    statusOfEvent[String(name)] !== undefined && known === 200
      ? statusOfEvent[String(name)]
      : (known ?? statusOfEvent[String(name)]);
  // A body that can't be read has the status of the answer, and is no answer.
  if (typeof status !== 'number' || status < 400 || error instanceof SyntaxError) return error;
  const headers = isRecord(response) && isRecord(response['headers']) ? response['headers'] : {};
  const requestID = isRecord(metadata) ? textOf(metadata['requestId']) : undefined;
  return Object.assign(new Error(String(message), { cause: error }), {
    status,
    code: String(name),
    headers,
    ...(requestID === undefined ? {} : { requestID }),
  });
};

const requestIdOf = (answer: { $metadata: { requestId?: string } }) =>
  answer.$metadata.requestId === undefined ? {} : { requestId: answer.$metadata.requestId };

const stream = async (
  input: ConverseCommandInput,
  { client, sdk }: BedrockClient,
  abortSignal: AbortSignal,
  onDelta: NonNullable<SendContext['onDelta']>,
) => {
  const answer = await client.send(new sdk.ConverseStreamCommand(input), { abortSignal });
  const state: Accumulated = { blocks: new Map(), inputs: new Map() };
  for await (const event of answer.stream ?? [])
    addEvent(state, withoutBytes(event), (kind, text) => onDelta({ kind, text }));
  if (state.stopReason === undefined && !abortSignal.aborted) throw cutReply();
  return { ...toReply(state), ...requestIdOf(answer) };
};

const whole = async (input: ConverseCommandInput, { client, sdk }: BedrockClient, abortSignal: AbortSignal) => {
  const answer = await client.send(new sdk.ConverseCommand(input), { abortSignal });
  const { $metadata: _, ...reply } = answer;
  return { ...(withoutBytes(reply) as object), ...requestIdOf(answer) };
};

/** One request of Converse, streamed where somebody listens. */
export const send = (
  request: Record<string, unknown>,
  client: BedrockClient,
  { signal, onDelta }: SendContext,
): Promise<unknown> =>
  abortable(signal, async (own) => {
    const input = withBytes(request) as ConverseCommandInput;
    try {
      return await (onDelta ? stream(input, client, own, onDelta) : whole(input, client, own));
    } catch (error) {
      throw toFailure(error);
    }
  });
