import type { ProgressEvent } from '@colophon/workflow';
import { messageOf } from './message-of.js';
import type { Progress } from './tool.js';

/** What a change of a running job tells whoever watches the call; undefined where it is of no interest. */
export const jobProgress = (event: ProgressEvent): Progress | undefined => {
  const { job } = event;
  if (event.kind === 'start') return { message: `${job.shortPath} runs` };
  if (event.kind === 'retry')
    return { message: `${job.shortPath} failed and is tried again: ${messageOf(event.exception.message)}` };
  if (event.kind !== 'progress') return undefined;
  const { message, done, total } = event.progress;
  return {
    message: message ? `${job.task}: ${message}` : job.task,
    ...(done === undefined ? {} : { done }),
    ...(total === undefined ? {} : { total }),
  };
};
