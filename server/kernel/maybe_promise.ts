/*
 * Work that need not always be waited for: what an embedded database or a cache has at hand is there at once, and a promise would cost more
 * than the work. Such functions return `MaybePromise`. Callers that do not care `await` it as any promise.
 */

/** A value, or the promise of one where something has to be waited for. */
export type MaybePromise<T> = T | Promise<T>

/** Whether something has to be waited for. A promise may be of another realm: test runners have one of their own. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Goes on with a value as soon as it is there, which may be at once. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

/**
 * The values of independent work that has been started: all of it can be requested in one round trip.
 * @throws the error that came first, once nothing of it goes on any more
 */
export function together<const T extends readonly unknown[]>(
  values: readonly [...{ [K in keyof T]: MaybePromise<T[K]> }],
): MaybePromise<T> {
  // As the types of the values say.
  return (values.some(isPromise) ? allOf(values) : values) as MaybePromise<T>
}

/** Unlike `Promise.all`, waits for the others where one fails: they may use a transaction that ends with the failure. */
async function allOf(values: readonly unknown[]): Promise<unknown[]> {
  const failures: unknown[] = []
  const settled = await Promise.all(
    values.map(async (value) => {
      try {
        return await value
      } catch (error) {
        failures.push(error)
        return undefined
      }
    }),
  )
  if (failures.length > 0) throw failures[0]
  return settled
}

/** `try` and `catch` around work, up to the end of what it waits for. */
export function attempt<T>(work: () => MaybePromise<T>, onError: (error: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const result = work()
    return isPromise(result) ? result.catch(onError) : result
  } catch (error) {
    return onError(error)
  }
}

/** Steps in order, written as a generator: `yield* wait(step)` is what `await step` is in an async function. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>

/** The result of a step. */
export function* wait<T>(step: MaybePromise<T>): Steps<T> {
  // `runSteps` sends back what the promise was of.
  return isPromise(step) ? ((yield step) as T) : step
}

/** A function whose work is written as steps. */
export function stepwise<Given extends readonly unknown[], T>(
  work: (...given: Given) => Steps<T>,
): (...given: Given) => MaybePromise<T> {
  return (...given) => runSteps(work(...given))
}

/** Takes steps: all of them at once, without any promise, unless one has to be waited for. */
export function runSteps<T>(steps: Steps<T>): MaybePromise<T> {
  const first = steps.next()
  return first.done ? first.value : runRest(steps, first.value)
}

async function runRest<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  for (let waiting = first; ;) {
    const next = await waiting.then(
      (value) => steps.next(value),
      (error: unknown) => steps.throw(error),
    )
    if (next.done) return next.value
    waiting = next.value
  }
}
