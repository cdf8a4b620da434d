import { z } from 'zod';

/** Inputs of a task that pages its list. Nothing but the list follows them. */
export const pageInputs = {
  page: z.number().int().optional().describe('page of the list, from 1; absent: all of it'),
  per_page: z.number().int().positive().optional().describe('entries of a page, 50 unless told otherwise'),
};

/** What stands beside a paged list. */
export const pageOutputs = {
  page: z.number().int().optional().describe('this page, from 1'),
  per_page: z.number().int().optional(),
  total: z.number().int().optional().describe('entries on all pages'),
  total_pages: z.number().int().optional().describe('at least 1'),
  next_page: z.number().int().optional(),
  prev_page: z.number().int().optional(),
};

/** What a page tells of itself; empty where nothing is paged. */
export type PageFacts = {
  page?: number;
  per_page?: number;
  total?: number;
  total_pages?: number;
  next_page?: number;
  prev_page?: number;
};

/** Takes one page of a list, where a page or its size is given. A page below 1 is 1; one behind the last is empty. */
export const takePage = <T>(
  list: readonly T[],
  { page, per_page: size }: { page?: number | undefined; per_page?: number | undefined },
): { items: readonly T[]; facts: PageFacts } => {
  if (page === undefined && size === undefined) return { items: list, facts: {} };
  const perPage = size ?? 50;
  const current = Math.max(1, page ?? 1);
  const pages = Math.max(1, Math.ceil(list.length / perPage));
  return {
    items: list.slice((current - 1) * perPage, current * perPage),
    facts: {
      page: current,
      per_page: perPage,
      total: list.length,
      total_pages: pages,
      ...(current < pages ? { next_page: current + 1 } : {}),
      ...(current > 1 ? { prev_page: current - 1 } : {}),
    },
  };
};
