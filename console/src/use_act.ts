import { useState } from 'preact/hooks'
import { failureText } from './use_loaded.ts'

interface Act {
  readonly isBusy: boolean
  /** Why the last attempt failed. */
  readonly error: string | undefined
  /** @returns whether it succeeded */
  readonly run: () => Promise<boolean>
}

/** The state of something that a button does. */
export function useAct(act: () => Promise<void>): Act {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const run = async (): Promise<boolean> => {
    setBusy(true)
    setError(undefined)
    try {
      await act()
      return true
    } catch (thrown) {
      setError(failureText(thrown))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, run }
}
