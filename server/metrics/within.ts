/**
 * A figure that is looked up, for readers who cannot wait: where it is not there in time, or cannot be had, there is none. A look-up
 * that takes longer is not begun again until it has ended.
 */
export function within<T>(milliseconds: number, lookUp: () => Promise<T>): () => Promise<T | undefined> {
  let pending: Promise<T | undefined> | undefined
  return async () => {
    pending ??= lookUp()
      .catch(() => undefined)
      .finally(() => (pending = undefined))
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => late.resolve(undefined), milliseconds)
    try {
      return await Promise.race([pending, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
