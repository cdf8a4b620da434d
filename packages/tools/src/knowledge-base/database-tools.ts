import { defineTool } from '../define-tool.js';
import { readJson } from '../parse-arguments.js';
import type { Tool } from '../tool.js';
import { toolResult } from '../tool-result.js';
import type { Database } from './database.js';
import type { ToolNames } from './tool-names.js';

// Models send a list as JSON text at times, and numbers where a name is one.
const toTexts = (sent: unknown): unknown => {
  const value = typeof sent === 'string' ? readJson(sent) : sent;
  if (Array.isArray(value)) return value.map((part) => (typeof part === 'number' ? String(part) : part));
  return typeof sent === 'string' ? [typeof value === 'string' ? value : sent] : sent;
};

const prepareLists =
  (...names: string[]) =>
  (parameters: Record<string, unknown>): Record<string, unknown> => ({
    ...parameters,
    ...Object.fromEntries(
      names.filter((name) => Object.hasOwn(parameters, name)).map((name) => [name, toTexts(parameters[name])]),
    ),
  });

const strings = { type: 'array', items: { type: 'string' } };

const sentences = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join('\n\n');

const queryTool = (database: Database, { query, details }: ToolNames): Tool => {
  const { source, target, undirected, description, fields } = database;
  const notation = `\`source~target\`, where source is ${source} and target is ${target}`;
  const answer = undirected
    ? `Gives the associations of entities in the database \`${query}\`, which has no direction, as a list of \`entity~other\` (${source}, ${target}): each from the side of the entity that was asked for.`
    : `Gives the associations of entities in the database \`${query}\`, as a list of ${notation}.`;
  return defineTool({
    name: query,
    description: sentences(
      description,
      `${answer}${fields.length > 0 ? ` What is known of them: \`${details}\`.` : ''}`,
    ),
    parameters: {
      type: 'object',
      properties: {
        entities: { ...strings, description: 'Entities whose associations are wanted, by their exact names.' },
        ...(undirected
          ? {}
          : {
              reverse: {
                type: 'boolean',
                description: `True: the entities are targets (${target}), and their sources are wanted.`,
              },
            }),
      },
      required: ['entities'],
    },
    prepare: prepareLists('entities'),
    run: ({ entities, reverse }) => database.pairs(entities as string[], { reverse: reverse === true }),
    idempotent: true,
    readOnly: true,
  });
};

const unknownField = (field: string, known: readonly string[]) =>
  toolResult({
    content: `There is no field ${JSON.stringify(field)}; the fields are: ${known.join(', ')}.`,
    error: 'invalid_arguments',
  });

const detailsTool = (database: Database, { query, details }: ToolNames): Tool =>
  defineTool({
    name: details,
    description: sentences(
      database.description,
      `Gives what is known of associations of the database \`${query}\`, by association: an object of its fields, or a list of the values of those asked for. Several values have \`;\` between them; associations that are not in the database are left out.`,
    ),
    parameters: {
      type: 'object',
      properties: {
        associations: { ...strings, description: `Associations as \`${query}\` gives them: \`source~target\`.` },
        fields: {
          type: 'array',
          items: { type: 'string', enum: database.fields },
          description: 'The fields that are wanted, in that order; all by name where this is left out.',
        },
      },
      required: ['associations'],
    },
    prepare: prepareLists('associations', 'fields'),
    run: async ({ associations, fields }) => {
      const wanted = fields as string[] | undefined;
      const unknown = wanted?.find((field) => !database.fields.includes(field));
      if (unknown !== undefined) return unknownField(unknown, database.fields);
      const places = wanted?.map((field) => database.fields.indexOf(field));
      const found = await database.details(associations as string[]);
      return Object.fromEntries(
        [...found].map(([pair, values]) => [
          pair,
          places
            ? places.map((place) => values[place])
            : Object.fromEntries(database.fields.map((field, index) => [field, values[index]])),
        ]),
      );
    },
    idempotent: true,
    readOnly: true,
  });

/** The tools of a database: its query, and where its associations have fields, their details. */
export const databaseTools = (database: Database, names: ToolNames): Tool[] => [
  queryTool(database, names),
  ...(database.fields.length > 0 ? [detailsTool(database, names)] : []),
];
