import { createHash } from 'node:crypto'
import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server'
import { createWorkspaceClient } from '../../client/src/index.ts'
import type { AssistantTool } from './tool.ts'
import { toolServer } from './tool_server.ts'
import { noUndo, UndoEntries } from './undo_log.ts'

/** Whose rights the tools have. */
export interface ToolCaller {
  /** For the API. */
  readonly token: string
  /** Sends requests to the API; the global function if left out. */
  readonly fetch?: typeof fetch
}

export interface ToolServiceOptions {
  /** Address of the API. */
  readonly baseUrl: string
  /** Shown by clients. */
  readonly version: string
  /** First word of the headers of a branded deployment. */
  readonly headerBrand?: string
  readonly tools?: readonly AssistantTool[]
  /** Whether the requests of a caller may reach several processes, so that changes cannot be undone. */
  readonly hasSiblings?: boolean
}

/** The tools over HTTP, for callers who have been authenticated. */
export interface ToolService {
  /** @param body the parsed body, if it has been read already */
  respond(request: Request, caller: ToolCaller, body?: unknown): Promise<Response>
}

/** Streams that only wait for changes of the list of tools are refused: it never changes. */
const SUBSCRIPTIONS_MAX = 0
/** A model can wait by itself, and assistants give up after a minute: a call that would have to wait for longer fails. */
const CALL_MS_MAX = 15_000

/** Serves the tools to any number of callers. Each request has the rights of its caller. */
export function toolService({ baseUrl, version, headerBrand, tools, hasSiblings = false }: ToolServiceOptions): ToolService {
  const entries = new UndoEntries()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { token, extra } = authInfo as CallerInfo
      const client = createWorkspaceClient({
        ...{ baseUrl, token, totalMilliseconds: CALL_MS_MAX },
        ...(extra.fetch && { fetch: extra.fetch }),
        ...(headerBrand !== undefined && { headerBrand }),
      })
      const undo = hasSiblings ? noUndo : entries.ofCaller(createHash('sha256').update(token).digest('hex'))
      return toolServer({ version, client, undo, ...(tools && { tools }) })
    },
    { maxSubscriptions: SUBSCRIPTIONS_MAX },
  )
  return {
    respond(request, { token, fetch }, parsedBody) {
      const authInfo: CallerInfo = { token, clientId: '', scopes: [], extra: { fetch } }
      return handler.fetch(request, { authInfo, ...(parsedBody !== undefined && { parsedBody }) })
    },
  }
}

/** The caller as the handler passes it on. */
interface CallerInfo extends AuthInfo {
  readonly extra: { readonly fetch: typeof fetch | undefined }
}
