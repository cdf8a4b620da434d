import { link, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, isAbsolute, resolve } from 'node:path';
import type { Answer } from './answer.js';
import { ask, contextOf } from './ask.js';
import type { AskInput, AskOptions } from './ask-options.js';
import { mediaTypeOf } from './attachment.js';
import type { AskContext } from './context.js';
import { fileExists, noImage, relativePath, unsupported } from './errors.js';
import { readLayers, resolveOptions } from './resolve-options.js';

/** A picture that was made: where it is, of what type, and the answer that it came with. */
export type CreatedImage = { file: string; mediaType: string; answer: Answer };

const endings: Record<string, string[]> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
};

const placeOf = (file: string, { workingDirectory }: AskContext): string => {
  if (!isAbsolute(file) && workingDirectory === undefined) throw relativePath(file);
  return resolve(workingDirectory ?? '/', file);
};

/** The path with an ending that the bytes keep; `number` above 1 stands before it. */
const pathFor = (path: string, mediaType: string, number: number): string => {
  const known = endings[mediaType] ?? ['.bin'];
  const given = extname(path);
  const ending = known.includes(given.toLowerCase()) ? given : known[0];
  const isEnding = Object.values(endings).flat().includes(given.toLowerCase());
  const stem = isEnding ? path.slice(0, -given.length) : path;
  return `${stem}${number > 1 ? `-${number}` : ''}${ending}`;
};

const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === 'EEXIST';

/** Writes bytes where nothing stands: whole or not at all, and never over a file. False where something stands there. */
const writeNew = async (path: string, bytes: Uint8Array, unique: string): Promise<boolean> => {
  const making = `${path}.${unique}.tmp`;
  try {
    await writeFile(making, bytes, { flag: 'wx' });
    await link(making, path);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String((error as { code?: unknown }).code))) throw error;
    // A file system without links.
    const file = await open(path, 'wx').catch((failure: unknown) => {
      if (isTaken(failure)) return undefined;
      throw failure;
    });
    await file?.writeFile(bytes).finally(() => file.close());
    return file !== undefined;
  } finally {
    await rm(making, { force: true });
  }
};

const bytesOf = ({ messages }: Answer): Uint8Array | undefined => {
  const content = messages.findLast(({ role, content: text }) => role === 'image' && text.startsWith('data:'))?.content;
  return content === undefined
    ? undefined
    : new Uint8Array(Buffer.from(content.slice(content.indexOf(',') + 1), 'base64'));
};

/**
 * Asks for a picture and writes it to a file: by the backends that make some (`responses`, `google`), whose own tools do it. A file that is
 * there is an error before anything is asked, and is never written over; one that appears meanwhile gets a neighbour `name-2.png`. The ending
 * follows the bytes: a JPEG that was to be `x.png` is `x.jpg`. The input and options are those of `ask`.
 *
 * Throws `file_exists`, `no_image` where the answer holds none, `unsupported`.
 */
export const createImage = async (input: AskInput, file: string, options: AskOptions = {}): Promise<CreatedImage> => {
  const context = await contextOf(options);
  const path = placeOf(file, context);
  if (await stat(path).catch(() => undefined)) throw fileExists(path);
  const layers = await readLayers(options, [], context);
  const { backend } = await resolveOptions(
    layers.map((layer) => ({ ...layer, own: { model: 'any', ...layer.own } })),
    context,
  );
  const wanted = 'images' in backend ? backend.images : undefined;
  if (!wanted) throw unsupported('wish for a picture', backend.name);
  const model = options.model ?? wanted.model;
  const answer = await ask(input, {
    ...wanted.parameters,
    ...options,
    backend,
    context,
    ...(model === undefined ? {} : { model }),
    persist: false,
  });
  const bytes = bytesOf(answer);
  const mediaType = bytes && mediaTypeOf(bytes);
  if (!bytes || !mediaType?.startsWith('image/')) throw noImage(backend.name, answer.text, answer);
  await mkdir(dirname(path), { recursive: true });
  for (let number = 1; ; number++) {
    const place = pathFor(path, mediaType, number);
    if (await writeNew(place, bytes, context.randomId())) return { file: place, mediaType, answer };
  }
};
