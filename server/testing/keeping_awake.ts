const LONG_MS = 2 ** 30

/** Keeps the process from ending while something is awaited that no socket and no timer stands for. */
export async function keepingAwake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, LONG_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
