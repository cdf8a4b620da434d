import { rename, rm, writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { toPng, toSvg } from '@colophon/provenance/node';
import type { MachineContext } from './context.js';
import { usageError } from './errors.js';
import { shownPath } from './shown-path.js';

const kinds = ['.svg', '.png', '.dot', '.gv'];

const writeBytes = async (path: string, data: Uint8Array, { randomId }: MachineContext): Promise<void> => {
  const making = `${path}.${randomId()}.tmp`;
  try {
    await writeFile(making, data);
    await rename(making, path);
  } catch (error) {
    await rm(making, { force: true });
    throw error;
  }
};

/** Writes DOT source to a file: as it is, or as the picture that the file's ending names; without an ending an SVG. */
export const writePicture = async (dot: string, file: string, context: MachineContext): Promise<void> => {
  const ending = extname(file).toLowerCase() || '.svg';
  if (!kinds.includes(ending)) throw usageError(`${file}: a picture is written as ${kinds.join(', ')}`, 'prov');
  const path = resolve(context.workingDirectory, extname(file) === '' ? `${file}.svg` : file);
  const { writeAtomically } = await import('./write-file.js');
  let note = '';
  if (ending === '.dot' || ending === '.gv') await writeAtomically(path, `${dot}\n`);
  else {
    const svg = await toSvg(dot, { signal: context.signal });
    if (ending === '.svg') await writeAtomically(path, svg);
    else {
      const { data, width, height } = await toPng(svg, { signal: context.signal });
      await writeBytes(path, data, context);
      note = `, ${width} × ${height} pixels`;
    }
  }
  context.log('info', `wrote ${shownPath(path, context)}${note}`);
};
