import type { ToolResult } from './tool.js';

// A registered symbol, so that results made by another copy of this package are known too; JSON can't hold it.
const brand = Symbol.for('colophon.toolResult');

/**
 * Marks a result that says more than its content: `meta` (receipts), `step` (short path of the job that holds it), `error`
 * (a kind of failure; the content then becomes `{"exception": …}`). Without this mark such an object is plain JSON.
 */
export const toolResult = (result: ToolResult): ToolResult =>
  Object.defineProperty({ ...result }, brand, { value: true });

/** Tells results made by `toolResult` from any other object. */
export const isToolResult = (value: unknown): value is ToolResult =>
  typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true;
