import type {
  Actor,
  SessionArtifact,
  SessionError,
  SessionUsage,
  RequiredAction,
  SessionStatus,
} from '../../../../generated/types.ts'
import { readEventContent } from '../../../store/stored/read_json.ts'

/** A file of a message: the upload, and its name in the message. */
export interface AttachedFile {
  readonly id: string
  readonly name?: string
}

/** The content of each type of event, stored as JSON. */
export interface StoredContents {
  'user.message': {
    readonly text: string
    readonly files: readonly AttachedFile[]
    readonly metadata: Readonly<Record<string, string>> | null
    /** Null for the message of a trigger. */
    readonly author: Actor | null
  }
  'agent.message': { readonly text: string; readonly author: Actor | null; readonly model: string | null }
  'agent.thinking': { readonly text: string }
  'agent.tool_use': { readonly tool: string }
  'agent.tool_result': { readonly useId: string; readonly tool: string; readonly isError: boolean }
  'session.status': {
    readonly status: SessionStatus
    readonly required_actions?: RequiredAction[]
    readonly error?: SessionError
    readonly usage?: SessionUsage
    readonly artifacts?: SessionArtifact[]
  }
}

export type StoredEventType = keyof StoredContents

export type StoredEvent = {
  readonly [Type in StoredEventType]: { readonly type: Type; readonly content: StoredContents[Type] }
}[StoredEventType]

interface EventRow {
  readonly id: string
  readonly type: StoredEventType
  readonly content: string
}

export function parseContent({ id, type, content }: EventRow): StoredEvent {
  // Only `SessionWriter` stores events, with the content of their type.
  return { type, content: readEventContent(id, type, content) } as StoredEvent
}
