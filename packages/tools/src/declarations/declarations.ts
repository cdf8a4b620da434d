import { association } from './association.js';
import type { Declaration } from './declaration.js';
import { introduce } from './introduce.js';
import { kb } from './kb.js';
import { mcp } from './mcp.js';
import { tool } from './tool.js';

/** The roles that declare tools, each with its reader. Extend by spreading it into the `declarations` of a context. */
export const declarations = { tool, introduce, mcp, kb, association } satisfies Record<string, Declaration>;
