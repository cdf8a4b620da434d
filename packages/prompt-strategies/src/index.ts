export { type EpochSchedule, type EpochScheduleInput, epochSchedule } from './epoch-schedule.js';
export { type InboxPaths, inboxPaths } from './inbox-paths.js';
export { preparePrompt, type RequestedStrategies } from './prepare-prompt.js';
export { type CacheRules, cacheRules, type Figure, providerCacheRules } from './provider-cache-rules.js';
export { repairPairs } from './repair-pairs.js';
export { requestAbort } from './request-abort.js';
export { type SimulateOptions, type Simulation, type StrategyCost, simulate } from './simulate.js';
export { defaultStrategies, strategies } from './strategies.js';
export type { InboxWarning, PreparedPrompt, Strategy, StrategyContext } from './strategy.js';
