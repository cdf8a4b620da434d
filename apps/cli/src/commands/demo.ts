import { defineCommand } from '../command.js';

export const command = defineCommand({ name: 'demo', description: 'todo', options: [], examples: [], run: () => 0 });
