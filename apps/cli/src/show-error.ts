import { createColors } from 'picocolors';

/** What the system calls a failure, said in words. */
const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'exists already',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many open files',
  EFBIG: 'the file is too large',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'links that lead in a circle',
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Wrong use of the command line, as against a failure of what it was asked to do. */
export const isUsageError = (error: unknown): boolean =>
  isObject(error) && error['name'] === 'ColophonError' && error['code'] === 'usage';

const describe = (error: unknown): string => {
  if (!isObject(error)) return String(error);
  const { name, code, message, syscall } = error;
  // The path of a link is what it leads to.
  const path = syscall === 'symlink' ? error['dest'] : error['path'];
  if (name === 'ColophonError') return String(message);
  const known = typeof code === 'string' ? systemErrors[code] : undefined;
  if (known) return path === undefined ? `${known} (${code})` : `${path}: ${known}`;
  return String(message ?? name ?? error);
};

const isOurs = (error: unknown) =>
  isObject(error) &&
  (error['name'] === 'ColophonError' || (typeof error['code'] === 'string' && error['code'] in systemErrors));

/**
 * Says an error in one line. With `verbose` the chain of causes follows, a line each, and the stack where the error is
 * unexpected (ours are explained by their message).
 */
export const renderError = (error: unknown, { color, verbose }: { color: boolean; verbose: boolean }): string => {
  const { red, dim } = createColors(color);
  const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');
  const hint = isOurs(error) || verbose ? '' : dim(' (--verbose tells more)');
  const lines = [`${red('colophon:')} ${oneLine(describe(error))}${hint}`];
  if (verbose) {
    const seen = new Set<unknown>([error]);
    let cause = isObject(error) ? error['cause'] : undefined;
    while (cause !== undefined && !seen.has(cause)) {
      seen.add(cause);
      lines.push(dim(`  because: ${oneLine(describe(cause))}`));
      cause = isObject(cause) ? cause['cause'] : undefined;
    }
    if (!isOurs(error) && isObject(error) && typeof error['stack'] === 'string') {
      lines.push(
        ...error['stack']
          .split('\n')
          .slice(1)
          .map((line) => dim(line)),
      );
    }
  }
  return lines.join('\n');
};
