import { thresholdError } from './errors.js';
import type { StrategyContext } from './strategy.js';

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const toNumber = (name: string, value: unknown, source: string): number => {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw thresholdError(name, value, source);
  return number;
};

/**
 * One threshold: from the options of the call, else from configuration or environment, else the default. Text that reads as
 * a number is one; what is empty counts as not set.
 *
 * @throws ColophonError `invalid_threshold` where the first value that is set is not a finite number.
 */
export const readThreshold = (context: StrategyContext, name: string, fallback: number): number => {
  const option = context.options?.[name];
  if (isSet(option)) return toNumber(name, option, 'the options of the call');
  const setting = context.setting?.(name);
  return isSet(setting) ? toNumber(name, setting, 'configuration or environment') : fallback;
};
