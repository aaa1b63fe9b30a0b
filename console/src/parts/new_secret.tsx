import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { CopyButton } from './copy_button.tsx'

interface NewSecretProps {
  /** The name of the record to which it belongs. */
  readonly name: string
  /** What it is, such as “client secret”. */
  readonly kind: string
  readonly secret: string
  /** A command that tries it. */
  readonly command?: string
  readonly close: () => void
}

/** A secret that was just made. It is shown only this once. */
export function NewSecret({ name, kind, secret, command, close }: NewSecretProps): JSX.Element {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [secret])
  return (
    <section class="done" tabIndex={-1} ref={section} aria-labelledby="new-secret">
      <h2 id="new-secret">
        Copy the {kind} of “{name}” now
      </h2>
      <p>This is the only time that it is shown. The service stores a digest of it, from which it cannot be restored.</p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} label={`Copy ${kind}`} />
      </div>
      {command !== undefined && (
        <>
          <p class="small">Try it:</p>
          <div class="secret">
            <pre tabIndex={0} aria-label="Command">
              {command}
            </pre>
            <CopyButton text={command} label="Copy command" />
          </div>
        </>
      )}
      <button onClick={close}>I have copied it</button>
    </section>
  )
}
