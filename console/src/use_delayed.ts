import { useEffect, useState } from 'preact/hooks'

const DELAY_MS = 250

/** A text once the person has stopped typing. */
export function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return delayed
}
