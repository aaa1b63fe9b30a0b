import { useEffect } from 'preact/hooks'

const POLL_MS = 3_000

/**
 * Reloads data some seconds after it has been loaded, while it can change and the page is visible. A page that becomes visible again
 * reloads at once.
 * @param loaded changes whenever the data has been loaded, or could not be
 */
export function usePolling(isNeeded: boolean, reload: () => void, loaded: readonly unknown[]): void {
  useEffect(() => {
    if (!isNeeded) return
    const reloadIfVisible = (): void => {
      if (!document.hidden) reload()
    }
    const timer = setTimeout(reloadIfVisible, POLL_MS)
    document.addEventListener('visibilitychange', reloadIfVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', reloadIfVisible)
    }
  }, [isNeeded, ...loaded])
}
