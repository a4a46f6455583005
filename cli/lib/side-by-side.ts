/**
 * Runs a task for each item, at most `limit` tasks at a time. The results have the order of the
 * items.
 *
 * If a task fails, no further task begins.
 *
 * @throws the first error, after all tasks that had begun have ended
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const waiting = [...items.entries()].reverse();
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined && failures.length === 0; next = waiting.pop()) {
      const [index, item] = next;
      await task(item).then(
        (result) => {
          results[index] = result;
        },
        (error: unknown) => failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
