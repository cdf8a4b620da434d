import type { CompileContext, Policy } from '@colophon/chat-compile';
import { nodeContext } from '@colophon/chat-compile/node';
import type { MachineContext } from './context.js';

/** The context of one compilation on this machine. */
export const compileContext = (context: MachineContext, policy: Policy = 'run'): CompileContext =>
  nodeContext({
    workingDirectory: context.workingDirectory,
    home: context.home,
    roots: context.roots.map(({ path }) => path),
    policy,
    signal: context.signal,
    log: (line) => context.log('info', line),
  });
