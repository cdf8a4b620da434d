import { inbox } from './strategies/inbox.js';
import { none } from './strategies/none.js';
import { shortenTools } from './strategies/shorten-tools.js';
import { shortenToolsEpoch } from './strategies/shorten-tools-epoch.js';
import { shortenToolsEpochIncrement } from './strategies/shorten-tools-epoch-increment.js';
import type { Strategy } from './strategy.js';

/** The strategies by name. Spread it to add your own, and pass the result as `strategies` of the context. */
export const strategies = {
  none,
  shorten_tools: shortenTools,
  shorten_tools_epoch: shortenToolsEpoch,
  shorten_tools_epoch_increment: shortenToolsEpochIncrement,
  inbox,
} satisfies Record<string, Strategy>;

/** What applies where nothing is asked for. */
export const defaultStrategies: readonly string[] = ['shorten_tools_epoch_increment', 'inbox'];
