/** How a call ended, as a mark: done, failed, or nobody knows. */
export const outcome = (success: boolean | null): string => (success === null ? '?' : success ? '✓' : '✗');

/** Who was spoken to: the agent, and in which conversation. */
export const addressee = (call: { target_agent?: string | undefined; conversation?: string | undefined }): string =>
  [call.target_agent, call.conversation].filter((name) => name !== undefined).join('/');
