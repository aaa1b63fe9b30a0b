import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

const SHOWN_MS = 2_000

/** Copies a text. Browsers allow that only over HTTPS and on this machine; elsewhere, the person selects the text. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }): JSX.Element {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const copy = async (): Promise<void> => {
    const outcome = await (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => 'copied' as const,
      () => 'failed' as const,
    )
    setState(outcome)
    setTimeout(() => setState('ready'), SHOWN_MS)
  }
  return (
    <button class="copy" onClick={() => void copy()} aria-live="polite">
      {state === 'ready' ? label : state === 'copied' ? 'Copied' : 'Select it to copy'}
    </button>
  )
}
