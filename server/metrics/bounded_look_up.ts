/**
 * Creates a look-up with a time limit. It returns undefined if the limit is exceeded or an error occurs. While one look-up is running, no
 * other is started.
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
