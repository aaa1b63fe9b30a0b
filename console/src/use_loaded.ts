import { useCallback, useEffect, useState } from 'preact/hooks'

interface Loaded<T> {
  /** Undefined until it has been loaded. */
  readonly data: T | undefined
  /** Why it could not be loaded. */
  readonly error: string | undefined
  /** Shows other data, such as the response to a change. */
  readonly set: (data: T) => void
  readonly reload: () => void
}

/** Loads data when a component appears, and again when `key` changes. */
export function useLoaded<T>(load: () => Promise<T>, key = ''): Loaded<T> {
  const [data, set] = useState<T>()
  const [error, setError] = useState<string>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    setError(undefined)
    load().then(
      (loaded) => isCurrent && set(() => loaded),
      (thrown: unknown) => isCurrent && setError(failureText(thrown)),
    )
    return () => {
      isCurrent = false
    }
  }, [key, round])
  return { data, error, set: useCallback((next: T) => set(() => next), []), reload: () => setRound(round + 1) }
}

export function failureText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
