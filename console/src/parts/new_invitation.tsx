import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Invitation } from '../../../generated/console_types.ts'
import { CopyButton } from './copy_button.tsx'
import { Moment } from './moment.tsx'

interface NewInvitationProps {
  readonly invitation: Invitation
  readonly close: () => void
}

/** The link for a person who was just invited. It is shown only this once. */
export function NewInvitation({ invitation, close }: NewInvitationProps): JSX.Element {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [invitation])
  const { email, sign_in_url, expires_time } = invitation
  return (
    <section class="done" tabIndex={-1} ref={section} aria-labelledby="new-invitation">
      {sign_in_url === null || expires_time === null ? (
        <>
          <h2 id="new-invitation">{email} is a member again</h2>
          <p>The person signs in as before. Tokens and connections from before work again, as far as the role allows them.</p>
        </>
      ) : (
        <>
          <h2 id="new-invitation">Copy the link for {email} now</h2>
          <p>
            This is the only time that it is shown. It signs in whoever opens it, once, and expires <Moment time={expires_time} />
            .
          </p>
          <div class="secret">
            <code>{sign_in_url}</code>
            <CopyButton text={sign_in_url} label="Copy link" />
          </div>
          <p class="small">
            If it expires unused, the operator makes another one: <code>workspace-service user link {email}</code>
          </p>
        </>
      )}
      <button onClick={close}>{sign_in_url === null ? 'Close' : 'I have copied it'}</button>
    </section>
  )
}
