import { open, stat } from 'node:fs/promises';
import type { RunToolContext } from '@colophon/backends';
import { type Tool, toolResult } from '@colophon/tools';
import { authorizePath } from '@colophon/workflow';
import { z } from 'zod';

const kinds = ['auto', 'image', 'pdf', 'png', 'jpeg'] as const;

const input = z.object({ file: z.string().min(1), file_type: z.enum(kinds).default('auto') });

const parameters = {
  type: 'object',
  properties: {
    file: { type: 'string', description: 'path of an image or a PDF' },
    file_type: { type: 'string', enum: [...kinds], default: 'auto', description: 'what it is; found out by itself' },
  },
  required: ['file'],
  additionalProperties: false,
};

const refused = (content: string) => toolResult({ content, error: 'error' });

const magic: readonly [kind: 'image' | 'pdf', bytes: RegExp][] = [
  ['pdf', /^%PDF-/],
  ['image', /^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF....WEBP/s],
];

const kindOf = async (path: string): Promise<'image' | 'pdf' | undefined> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    const start = buffer.subarray(0, bytesRead).toString('latin1');
    return magic.find(([, bytes]) => bytes.test(start))?.[0];
  } finally {
    await file.close();
  }
};

/**
 * The tool `attach`, with which a model puts an image or a PDF into its conversation: one `image` or `pdf` message behind the outputs of
 * the round. Only files of the working folder, and those that the chat was given grants for.
 */
export const attachTool = (): Tool => ({
  name: 'attach',
  description: 'Attaches an image or a PDF to this conversation, so that it can be looked at.',
  parameters,
  readOnly: true,
  run: async (given, toolContext) => {
    const { file, file_type: wanted } = input.parse(given);
    const { context, grants, append } = toolContext as unknown as RunToolContext;
    const { workingDirectory: root } = context;
    if (/[\r\n\0]/.test(file)) return refused('A path has no line ends.');
    const place = await authorizePath(file, {
      ...(root === undefined ? {} : { root, base: root }),
      ...grants,
      mode: 'read',
    });
    if (!place.allowed)
      return refused(
        `${file} may not be read: it is neither in the working folder nor granted by \`allow_read_path:\`.`,
      );
    if (!place.exists || !(await stat(place.path)).isFile()) return refused(`There is no file ${file}.`);
    const kind = await kindOf(place.path);
    if (kind === undefined) return refused(`${file} is neither a PNG, JPEG, GIF or WebP image nor a PDF.`);
    if (wanted !== 'auto' && (wanted === 'pdf') !== (kind === 'pdf'))
      return refused(`${file} is ${kind === 'pdf' ? 'a PDF' : 'an image'}, not ${wanted}.`);
    append({ role: kind, content: place.path });
    return `${file} is attached.`;
  },
});
