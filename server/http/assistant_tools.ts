import type { Duplex } from 'node:stream'
import type { Fetch } from './memory_fetch.ts'

/** The caller of a tool, who has been authenticated. */
export interface AssistantCaller {
  readonly token: string
  /** Sends the tool's requests as the caller. */
  readonly fetch: Fetch
}

/** Responds to requests of AI assistants by the Model Context Protocol. */
export interface AssistantToolService {
  /** @param body the parsed body; undefined if the request has none */
  respond(request: Request, caller: AssistantCaller, body: unknown): Promise<Response>
}

export interface AssistantToolOptions {
  /** The address of the API for `AssistantCaller.fetch`. */
  readonly baseUrl: string
  /** The version of the service, which assistants show. */
  readonly version: string
  /** Whether other processes serve requests as well. */
  readonly hasSiblings: boolean
}

/** Loads the tools, which are not part of the server. */
export type LoadTools = () => Promise<{ toolService(options: AssistantToolOptions): AssistantToolService }>

/** The tools of this service. */
export interface AssistantTools {
  readonly path: string
  readonly load: LoadTools
  readonly hasSiblings: boolean
  /** Accepts the connections over which tools call the API. */
  connect(line: Duplex): void
}
