/**
 * Creates a look-up with a time limit: it returns undefined when the time is up, or after an error. While a slow look-up is running, no
 * other one is started.
 */
export function boundedLookUp<T>(milliseconds: number, lookUp: () => Promise<T>): () => Promise<T | undefined> {
  let pending: Promise<T | undefined> | undefined
  return async () => {
    pending ??= lookUp()
      .catch(() => undefined)
      .finally(() => (pending = undefined))
    const timeout = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => timeout.resolve(undefined), milliseconds)
    try {
      return await Promise.race([pending, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
