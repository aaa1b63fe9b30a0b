const LONG_MS = 2 ** 30

/** Keeps the process running while it waits for work that no socket or timer keeps alive. */
export async function keepingAwake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, LONG_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
