import type { CompileContext, Policy, Workflows } from '@colophon/chat-compile';
import { nodeContext } from '@colophon/chat-compile/node';
import type { MachineContext } from './context.js';

/** The context of one compilation on this machine; without `workflows` a directive that needs them is an error. */
export const compileContext = (
  context: MachineContext,
  policy: Policy = 'run',
  workflows?: Workflows,
): CompileContext =>
  nodeContext({
    workingDirectory: context.workingDirectory,
    home: context.home,
    roots: context.roots.map(({ path }) => path),
    policy,
    ...(workflows === undefined ? {} : { workflows }),
    signal: context.signal,
    log: (line) => context.log('info', line),
  });
