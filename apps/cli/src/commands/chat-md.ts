import { defineCommand } from '../command.js';

export const command = defineCommand({ name: 'chat md', description: 'todo', options: [], examples: [], run: () => 0 });
