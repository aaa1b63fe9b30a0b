/**
 * Makes a look-up that gives up after a time: it then returns undefined, as it does after an error. While a slow look-up is still
 * running, no other one is started.
 */
export function boundedLookUp<T>(milliseconds: number, lookUp: () => Promise<T>): () => Promise<T | undefined> {
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
