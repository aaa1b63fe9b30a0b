import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

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
  const latest = useRef(0)
  useEffect(() => {
    const own = ++latest.current
    setError(undefined)
    load().then(
      (loaded) => own === latest.current && set(() => loaded),
      (thrown: unknown) => own === latest.current && setError(failureText(thrown)),
    )
    return () => void ++latest.current
  }, [key, round])
  const show = useCallback((next: T) => {
    // A response that is still on its way is older.
    latest.current += 1
    set(() => next)
  }, [])
  return { data, error, set: show, reload: () => setRound(round + 1) }
}

export function failureText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
