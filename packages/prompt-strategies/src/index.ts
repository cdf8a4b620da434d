export { type EpochSchedule, type EpochScheduleInput, epochSchedule } from './epoch-schedule.js';
export { type InboxPaths, inboxPaths } from './inbox-paths.js';
export { preparePrompt, type RequestedStrategies } from './prepare-prompt.js';
export { defaultStrategies, strategies } from './strategies.js';
export type { InboxWarning, PreparedPrompt, Strategy, StrategyContext } from './strategy.js';
export { repairPairs } from './tool-groups.js';
