import type { Pagination } from './model.ts';

/** §9 Admin pending page size. */
export const pageSize = 10;

/** §3 Pagination. A page beyond the last is empty and has a previous one. */
export function pagination(page: number, size: number, total: number): Pagination {
  const totalPages = Math.max(1, Math.ceil(total / size));
  return { page, totalPages, total, hasPrevious: page > 1, hasNext: page < totalPages };
}
