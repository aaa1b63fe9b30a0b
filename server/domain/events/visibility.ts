import { findConnection, type ConnectionRecord } from '../../store/connections.ts'
import type { Connection } from '../../store/database.ts'
import { findUpload } from '../../store/file_uploads.ts'
import { findViewingBots, findBots, type ViewingBot } from '../../store/viewing_bots.ts'
import type { EventActor } from './webhooks/payload.ts'
import type { BlockReference } from './change.ts'
import { kindOfEvent } from './event_types.ts'

/** The fields of an event that determine who may receive it. */
interface EventSubject {
  readonly workspace_id: string
  readonly type: string
  readonly entity: { readonly id: string }
  readonly data?: object
}

/** Whether a connection may receive events of a type at all. */
export function mayReceive({ capabilities, disabledTime }: ConnectionRecord, type: string): boolean {
  const kind = kindOfEvent(type)
  if (disabledTime !== null) return false
  return kind === 'file_upload' || capabilities.includes(kind === 'comment' ? 'read_comments' : 'read_content')
}

/** The block whose permissions apply to a comment. */
export function anchorOfComment({ parent, pageId }: { readonly parent: BlockReference; readonly pageId: string }): string {
  return parent.type === 'block' ? pageId : parent.id
}

/** The current recipients of an event. */
export interface Visibility {
  /** Whether any bot of the connection sees the entity, and the connection may receive the event. */
  readonly mayBeSent: boolean
  /** For a public connection, the bots that see the entity, and the people to whom they belong. */
  readonly accessibleBy: readonly EventActor[] | undefined
}

/** The recipients of each event, in the order of the events. They are checked again before each delivery attempt. */
export async function visibilitiesOf(
  db: Connection,
  connectionId: string,
  events: readonly EventSubject[],
): Promise<readonly Visibility[]> {
  const connection = await findConnection(db, connectionId)
  if (!connection) return events.map(() => ({ mayBeSent: false, accessibleBy: undefined }))
  const heard = events.filter(({ type }) => mayReceive(connection, type))
  const bots = new Map<EventSubject, readonly ViewingBot[]>()
  for (const [workspaceId, own] of Map.groupBy(heard, (event) => event.workspace_id)) {
    const anchored = own.filter((event) => !isAboutUpload(event))
    const seeing = await findViewingBots(db, workspaceId, anchored.map(anchorOf), [connectionId])
    for (const event of anchored) bots.set(event, seeing.get(anchorOf(event)) ?? [])
    for (const event of own.filter(isAboutUpload)) bots.set(event, await uploadersOf(db, connectionId, event))
  }
  return events.map((event) => {
    const seeing = bots.get(event) ?? []
    return { mayBeSent: seeing.length > 0, accessibleBy: connection.kind === 'public' ? actorsOf(seeing) : undefined }
  })
}

function isAboutUpload({ type }: EventSubject): boolean {
  return kindOfEvent(type) === 'file_upload'
}

/** The bot that created an upload, if it belongs to the connection. */
async function uploadersOf(
  db: Connection,
  connectionId: string,
  { workspace_id: workspaceId, entity }: EventSubject,
): Promise<ViewingBot[]> {
  const upload = await findUpload(db, workspaceId, entity.id)
  const bots = await findBots(db, workspaceId, upload ? [upload.actor_id] : [])
  return [...bots.values()].filter((bot) => bot.connectionId === connectionId)
}

/** The block whose permissions apply to the entity of a payload. */
function anchorOf({ type, entity, data }: EventSubject): string {
  const kind = kindOfEvent(type)
  if (kind !== 'comment' && kind !== 'view') return entity.id
  const { parent, page_id: pageId } = data as { readonly parent: BlockReference; readonly page_id: string }
  return kind === 'comment' ? anchorOfComment({ parent, pageId }) : parent.id
}

/** Bots, followed by the people to whom they belong. */
function actorsOf(bots: readonly ViewingBot[]): EventActor[] {
  const owners = new Set(bots.flatMap(({ ownerId }) => ownerId ?? []))
  return [...bots.map(({ id }) => ({ id, type: 'bot' }) as const), ...[...owners].map((id) => ({ id, type: 'person' }) as const)]
}
