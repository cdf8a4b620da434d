import { defineCommand } from '../command.js';

export const command = defineCommand({ name: 'ask', description: 'todo', options: [], examples: [], run: () => 0 });
