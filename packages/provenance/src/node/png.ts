import { createRequire } from 'node:module';
import { ColophonError } from '@colophon/chat-format';
import { pictureFailedError, pictureMissingError, pictureTooLargeError } from '../errors.js';

/** A picture, its size in pixels, and by how much it was enlarged. */
export type Png = { data: Uint8Array; width: number; height: number; scale: number };

/** How large a picture may become, in pixels, which programs that show PNG files still open; and how small, to be read. */
const limits = { side: 32_000, pixels: 100_000_000, scale: 0.4 };

const load = async () => {
  try {
    return await import('@resvg/resvg-js');
  } catch (error) {
    throw pictureMissingError('@resvg/resvg-js', error);
  }
};

const findFont = (): string => {
  try {
    const require = createRequire(import.meta.url);
    return require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
  } catch (error) {
    throw pictureMissingError('dejavu-fonts-ttf', error);
  }
};

// DejaVu Sans has no letters from here on: Han, Hangul, emoji and others come from the fonts of the machine, where it has some.
const beyondFont = /[\u2e80-\ud7ff\uf900-\ufaff]|[\ud83c-\ud83e\ud840-\ud8ff]/;

/**
 * Paints an SVG. Text shows on machines without any font: DejaVu Sans comes along. `scale` is the wish, 2 unless told otherwise;
 * a picture that would become larger than 32,000 pixels on a side or 100 million in all is made smaller, which `scale` tells.
 *
 * @throws ColophonError `picture_too_large` where nobody could read it in this size, `picture_failed` where the SVG can't be read or painted, `picture_missing` where resvg does not load.
 */
export const toPng = async (
  svg: string,
  { scale = 2, signal }: { scale?: number; signal?: AbortSignal } = {},
): Promise<Png> => {
  signal?.throwIfAborted();
  const { renderAsync, Resvg } = await load();
  const font = {
    fontFiles: [findFont()],
    defaultFontFamily: 'DejaVu Sans',
    sansSerifFamily: 'DejaVu Sans',
    loadSystemFonts: beyondFont.test(svg),
  };
  try {
    // The first tag alone tells the size.
    const { width, height } = new Resvg(svg.replace(/(<svg\b[^>]*>)[\s\S]*/, '$1</svg>'));
    const { side, pixels } = limits;
    const fitting = Math.min(scale, side / width, side / height, Math.sqrt(pixels / (width * height)));
    if (fitting < limits.scale) throw pictureTooLargeError(Math.round(width), Math.round(height));
    const options = { font, background: 'white', fitTo: { mode: 'zoom', value: fitting } } as const;
    // resvg makes a signal its own, and takes it once.
    const image = await renderAsync(svg, options, signal ? AbortSignal.any([signal]) : null);
    return { data: image.asPng(), width: image.width, height: image.height, scale: fitting };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ColophonError) throw error;
    throw pictureFailedError('PNG', error);
  }
};
