import { concurrentEdit } from '../../store/failures.ts'

/** Thrown in a transaction whose data has changed since its change was prepared. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

/** The most times that a change is prepared while others keep changing the same content. */
const ATTEMPTS_MAX = 3

/**
 * Makes a change in two steps: the long work without a transaction, during which others can write; then the change, which checks that the
 * data read by the work is still current.
 * @param change throws `OutdatedError` if it is not
 * @throws ServiceError `conflict_error` if it never was
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
