import { abortable } from '../abortable.js';
import type { SendContext } from '../backend.js';
import { cutReply } from '../provider-error.js';
import { isRecord } from '../shape.js';
import { type Accumulated, addPart, toResult } from './accumulate.js';
import type { LanguageModel } from './language-model.js';
import type { AiSdkRequest } from './to-request.js';

/** Gives the model of a request. */
export type ModelSource = (request: AiSdkRequest) => Promise<LanguageModel>;

const codeOf = (data: unknown): unknown => {
  const inner = isRecord(data) && isRecord(data['error']) ? data['error'] : {};
  return inner['code'] ?? inner['type'];
};

/** A failure under the names that the loop reads. What is wrapped around the network's own errors is taken off. */
const toFailure = (error: unknown): unknown => {
  if (!(error instanceof Error)) return new Error(typeof error === 'string' ? error : JSON.stringify(error));
  const { statusCode, responseHeaders, data, cause, name, message } = error as unknown as Record<string, unknown>;
  if (/JSONParse|TypeValidation|InvalidResponseData/.test(String(name)))
    return new SyntaxError(String(message), { cause: error });
  if (typeof statusCode !== 'number') return cause instanceof Error ? toFailure(cause) : error;
  // The answer was one, but could not be read.
  if (statusCode < 400) return new SyntaxError(String(message), { cause: error });
  const code = codeOf(data);
  return Object.assign(new Error(String(message), { cause: error }), {
    status: statusCode,
    headers: responseHeaders ?? {},
    ...(typeof code === 'string' ? { code } : {}),
  });
};

const stream = async (
  model: LanguageModel,
  call: Record<string, unknown> & { abortSignal: AbortSignal },
  onDelta: NonNullable<SendContext['onDelta']>,
) => {
  const { stream: parts } = await model.doStream(call);
  const state: Accumulated = { content: [], open: new Map(), response: {} };
  for await (const part of parts) addPart(state, part, (kind, text) => onDelta({ kind, text }));
  const reason = isRecord(state.finish?.['finishReason']) ? state.finish['finishReason'] : {};
  // Providers end a stream that broke off like one that ended, but for the reason.
  const told = reason['raw'] !== undefined || reason['unified'] !== 'other';
  if ((!state.finish || !told) && !call.abortSignal?.aborted) throw cutReply();
  return toResult(state);
};

// Addresses are objects only here: a request is JSON.
const toCall = (
  { call }: AiSdkRequest,
  abortSignal: AbortSignal,
): Record<string, unknown> & { abortSignal: AbortSignal } => {
  const prompt = (call['prompt'] as { role: string; content: unknown }[]).map((message) => ({
    ...message,
    content: Array.isArray(message.content)
      ? message.content.map(({ url, ...part }) => (url === undefined ? part : { ...part, data: new URL(url) }))
      : message.content,
  }));
  return { ...call, prompt, abortSignal } as Record<string, unknown> & { abortSignal: AbortSignal };
};

/** One call of a language model, streamed where somebody listens. */
export const send = (request: AiSdkRequest, modelOf: ModelSource, { signal, onDelta }: SendContext): Promise<unknown> =>
  abortable(signal, async (own) => {
    const model = await modelOf(request);
    try {
      if (onDelta) return await stream(model, toCall(request, own), onDelta);
      const { content, response, finishReason, usage } = await model.doGenerate(toCall(request, own));
      const { id, modelId } = response ?? {};
      return { content, response: { id, modelId }, finishReason, usage };
    } catch (error) {
      throw toFailure(error);
    }
  });
