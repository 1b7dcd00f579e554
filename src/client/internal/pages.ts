import { PlatformSDKError } from '../errors.ts';

/** Returns the address of one page of a list. */
export function listPath(path: string, { limit, afterId }: { limit?: number | undefined; afterId?: string | undefined }): string {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (afterId !== undefined) query.set('after_id', afterId);
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * Yields all entries of a list, and reads each page when it is needed.
 * @throws PlatformSDKError when the service returns pages without end
 */
export async function* allPages<P extends { next_id: string | null }, T>(
  path: string,
  read: (afterId: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): AsyncGenerator<T, void, undefined> {
  const nextIds = new Set<string>();
  let afterId: string | undefined;
  while (true) {
    const page = await read(afterId);
    const items = itemsOf(page);
    yield* items;
    afterId = page.next_id || undefined;
    if (afterId === undefined) return;
    // A valid service never names a page after an empty one, nor a page twice, because its ids only increase.
    if (items.length === 0) throw endless(path, 'an empty page names a next one');
    if (nextIds.has(afterId)) throw endless(path, 'it names a page that was read already');
    nextIds.add(afterId);
  }
}

const endless = (path: string, problem: string): PlatformSDKError =>
  new PlatformSDKError(
    `GET ${path}: the list does not end, ${problem}. Check that PLATFORM_RCS_URL (rcsUrl) names the control service.`,
  );
