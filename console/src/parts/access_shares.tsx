import type { JSX } from 'preact'
import type { ConnectionAccess } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import type { AccessPartProps } from './access_levels.ts'
import { ConfirmButton } from './confirm_button.tsx'
import { ItemLink } from './item_link.tsx'

/** The connections with which an item is shared, and through what. */
export function AccessShares({ access, show }: AccessPartProps): JSX.Element {
  const { connections, kind, has_more_connections } = access
  return (
    <>
      <h2 class="part-title">Connections</h2>
      {connections.length === 0 && (
        <p class="soft">
          No connection sees this {kind}. People share it when they authorize a connection, and the operator with
          “workspace-service connection share”.
        </p>
      )}
      <ul class="rows">
        {connections.map((share) => (
          <Row key={`${share.bot_id} ${share.item?.id}`} share={share} access={access} show={show} />
        ))}
      </ul>
      {has_more_connections && <p class="small soft more">Others are not listed.</p>}
    </>
  )
}

function Row({ share, access, show }: AccessPartProps & { readonly share: ConnectionAccess }): JSX.Element {
  const { bot_id, name, person, is_enabled, item, is_own } = share
  const shownName = name ?? 'A connection without a name'
  const remove = async (): Promise<void> => {
    const path = { item_id: access.item.id, bot_id }
    show(await consoleData(api.DELETE('/items/{item_id}/shares/{bot_id}', { params: { path } })))
  }
  return (
    <li>
      <div class="grow">
        <h3>
          {shownName} {!is_enabled && <span class="tag bad">Disabled</span>}
        </h3>
        <p class="small soft">
          {person !== null && `Authorized by ${person.name ?? 'somebody without a name'} · `}
          {reasonOf(item, is_own, access.kind)}
        </p>
      </div>
      <span class="tag">{rightsOf(share)}</span>
      {is_own && access.may_change && (
        <ConfirmButton label="Stop sharing" subject={`with ${shownName}`} title={`Stop sharing with ${shownName}?`} act={remove}>
          <p>The connection no longer sees this {access.kind} and what is below it, from its next request on.</p>
          <p>What is shared with it on its own, above or below, stays shared. What it has written stays.</p>
        </ConfirmButton>
      )}
    </li>
  )
}

function reasonOf(item: ConnectionAccess['item'], isOwn: boolean, kind: string): JSX.Element {
  if (item === null) return <>The whole workspace is shared with it</>
  return isOwn ? (
    <>This {kind} is shared with it</>
  ) : (
    <>
      <ItemLink {...item} />, above it, is shared with it
    </>
  )
}

function rightsOf({ may_read, may_write }: ConnectionAccess): string {
  if (may_read && may_write) return 'Reads and writes'
  if (may_read) return 'Reads'
  return may_write ? 'Writes' : 'Neither reads nor writes'
}
