import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { CreatedOwnToken } from '../../../generated/console_types.ts'
import { CopyButton } from './copy_button.tsx'

interface NewTokenProps {
  readonly created: CreatedOwnToken
  readonly close: () => void
}

/** A token that was just made. It is shown only this once. */
export function NewToken({ created, close }: NewTokenProps): JSX.Element {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [created])
  const { token, command, personal_token } = created
  return (
    <section class="done" tabIndex={-1} ref={section} aria-labelledby="new-token">
      <h2 id="new-token">Copy “{personal_token.name}” now</h2>
      <p>This is the only time that it is shown. The service stores a digest of it, from which it cannot be restored.</p>
      <div class="secret">
        <code>{token}</code>
        <CopyButton text={token} label="Copy token" />
      </div>
      <p class="small">Try it:</p>
      <div class="secret">
        <pre tabIndex={0} aria-label="Command">
          {command}
        </pre>
        <CopyButton text={command} label="Copy command" />
      </div>
      <button onClick={close}>I have copied it</button>
    </section>
  )
}
