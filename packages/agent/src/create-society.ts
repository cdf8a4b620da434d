import { askTools } from './ask-tool.js';
import { makeSociety, type Society, type SocietyOptions } from './society.js';

/** A society in which nobody was asked yet; its tool `ask` offers the agents that are there. */
export const createSociety = (options: SocietyOptions = {}): Society => makeSociety(options, askTools);
