type Options = any;

/**
 * What is used of a language model of the Vercel AI SDK: `LanguageModelV3` of @ai-sdk/provider 3, written down here so that types hold
 * where that package is not installed.
 */
export type LanguageModel = {
  readonly specificationVersion: 'v3';
  readonly modelId: string;
  doGenerate: (options: Options) => PromiseLike<{
    content: unknown[];
    finishReason: unknown;
    usage: unknown;
    response?: { id?: string | undefined; modelId?: string | undefined } | undefined;
  }>;
  doStream: (options: Options) => PromiseLike<{ stream: ReadableStream<unknown> }>;
};
