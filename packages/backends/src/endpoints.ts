import type { Files } from '@colophon/chat-compile';
import type { Root } from './context.js';
import { badEndpoint, unknownEndpoint } from './errors.js';

/** An endpoint's file. `trusted`: it stands below a root of the user's own. */
export type Endpoint = { name: string; file: string; trusted: boolean; options: Record<string, unknown> };

type Search = { roots: readonly Root[]; files: Files };

// A few lines each; the parser takes its time with long ones, which may have been copied from anywhere.
const mostBytes = 100_000;

const folderOf = (root: Root): string => `${root.path.replace(/[\\/]+$/, '')}/etc/AI`;

const nameOf = (fileName: string): string | undefined => /^([A-Za-z0-9][\w.-]*)\.ya?ml$/.exec(fileName)?.[1];

const listFolder = async (root: Root, files: Files): Promise<{ name: string; file: string; trusted: boolean }[]> => {
  const folder = folderOf(root);
  // A root that can't be looked into holds no endpoint.
  const facts = await files.stat(folder).catch(() => undefined);
  if (facts?.kind !== 'directory') return [];
  const names = (await files.list(folder)).sort();
  return names.flatMap((fileName) => {
    const name = nameOf(fileName);
    return name === undefined ? [] : [{ name, file: `${folder}/${fileName}`, trusted: root.trusted }];
  });
};

/** Names and files of all endpoints, in the order of the roots; of two with one name the first counts. */
export const findEndpoints = async ({
  roots,
  files,
}: Search): Promise<{ name: string; file: string; trusted: boolean }[]> => {
  const found = (await Promise.all(roots.map((root) => listFolder(root, files)))).flat();
  const first = new Map(found.toReversed().map((endpoint) => [endpoint.name, endpoint]));
  return found.filter((endpoint) => first.get(endpoint.name) === endpoint);
};

const parseOptions = async (text: string, file: string): Promise<Record<string, unknown>> => {
  const { parseYaml } = await import('./parse-yaml.js');
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (error) {
    // The message of the parser quotes the line, which may hold a key.
    const place = (error as { linePos?: { line: number }[] }).linePos?.[0];
    throw badEndpoint(file, `no valid YAML${place ? ` (line ${place.line})` : ''}`);
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw badEndpoint(file, 'holds no options');
  return value as Record<string, unknown>;
};

/** Reads an endpoint by name from `etc/AI/<name>.yaml` below the first root that has one. Throws `unknown_endpoint` with the known names. */
export const readEndpoint = async (name: string, search: Search): Promise<Endpoint> => {
  const known = await findEndpoints(search);
  const found = known.find((endpoint) => endpoint.name === name);
  if (!found) {
    throw unknownEndpoint(
      name,
      known.map((endpoint) => endpoint.name),
      search.roots.map(({ path }) => path),
    );
  }
  const facts = await search.files.stat(found.file).catch(() => undefined);
  if (facts?.kind !== 'file') throw badEndpoint(found.file, 'is no file that can be read');
  if (facts.size > mostBytes)
    throw badEndpoint(found.file, `has ${facts.size} bytes, an endpoint has at most ${mostBytes}`);
  let bytes: Uint8Array;
  try {
    bytes = await search.files.readBytes(found.file);
  } catch (error) {
    throw badEndpoint(found.file, 'can not be read', error);
  }
  return { ...found, options: await parseOptions(new TextDecoder().decode(bytes), found.file) };
};
