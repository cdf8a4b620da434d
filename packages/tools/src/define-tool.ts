import { invalidTool } from './errors.js';
import { isRecord } from './is-record.js';
import type { Tool } from './tool.js';

/**
 * Checks the shape of a tool and returns it as it is. Throws `invalid_tool` that names the part: names are letters, digits,
 * `_` and `-` (at most 128), since providers refuse others.
 */
export const defineTool = <T extends Tool>(tool: T): T => {
  if (!isRecord(tool)) throw invalidTool(String(tool), 'expected an object {name, description, parameters, run}');
  const { name, description, parameters, run, timeout, grace } = tool;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,128}$/.test(name)) {
    throw invalidTool(
      JSON.stringify(name) ?? 'without a name',
      'its name must be 1 to 128 letters, digits, `_` or `-`',
    );
  }
  if (typeof description !== 'string')
    throw invalidTool(`\`${name}\``, 'its description must be a string (an empty one will do)');
  if (!isRecord(parameters))
    throw invalidTool(
      `\`${name}\``,
      'its parameters must be a JSON Schema object, such as {type: "object", properties: {}}',
    );
  if (typeof run !== 'function') throw invalidTool(`\`${name}\``, 'its run must be a function (arguments, context)');
  if (timeout !== undefined && !(timeout > 0))
    throw invalidTool(`\`${name}\``, `its timeout must be a number of milliseconds above 0, not ${timeout}`);
  if (grace !== undefined && !(grace >= 0))
    throw invalidTool(`\`${name}\``, `its grace must be a number of milliseconds, not ${grace}`);
  return tool;
};
