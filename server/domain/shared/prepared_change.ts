import { concurrentEdit } from '../../store/failures.ts'

/** Thrown in a transaction if data has changed since the change was prepared. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

/** How often a change is prepared at most, while others keep changing the same content. */
const ATTEMPTS_MAX = 3

/**
 * Makes a change in two steps. First the long work, without a transaction, so that others can write meanwhile. Then the change, which
 * checks that the data read by the work is still current.
 * @param change throws `OutdatedError` if the data is outdated
 * @throws ServiceError `conflict_error` if the data was outdated in every attempt
 */
export async function withPreparation<Prepared, Result>(
  prepare: () => Promise<Prepared>,
  change: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare()
    try {
      return await change(prepared)
    } catch (error) {
      if (!(error instanceof OutdatedError)) throw error
      if (attempt === ATTEMPTS_MAX) throw concurrentEdit(error)
    }
  }
}
