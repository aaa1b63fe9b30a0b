import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { toolHandler, type HttpToolOptions } from '../../../mcp/src/http_server.ts'
import { isObject, parseObject, type JsonObject } from '../../harness/json.ts'

const ADDRESS = 'http://localhost/mcp'

export interface ToolResult {
  readonly text: string
  readonly structured: unknown
  readonly isError: boolean
}

/** A client of the tools, as an assistant has one. */
export class Assistant {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  /** Calls a tool. Arguments may be wrong, as models get them wrong, too. */
  async call(name: string, input: object = {}): Promise<ToolResult> {
    const { content, structuredContent, isError } = await this.client.callTool({ name, arguments: { ...input } })
    const [part] = content
    return { text: part?.type === 'text' ? part.text : '', structured: structuredContent, isError: isError === true }
  }

  /** @returns the structured part of a result without an error; its text as JSON, if it has none */
  async json(name: string, input: object = {}): Promise<JsonObject> {
    const { text, structured, isError } = await this.call(name, input)
    if (isError) throw new Error(text)
    return isObject(structured) ? structured : parseObject(text)
  }

  /** @returns the text of a result that should be an error */
  async refusal(name: string, input: object = {}): Promise<string> {
    const { text, isError } = await this.call(name, input)
    if (!isError) throw new Error(`The tool did not refuse: ${text}`)
    return text
  }
}

/** Connects an assistant to the tools for the API at an address, without a socket between them. */
export async function assistantOf(baseUrl: string, token: string, options: Partial<HttpToolOptions> = {}): Promise<Assistant> {
  const handle = toolHandler({ baseUrl, version: '0.1.0', hosts: ['localhost'], ...options })
  const fetch = (address: string | URL, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers)
    headers.set('host', 'localhost')
    return handle(new Request(address, { ...init, headers }))
  }
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(ADDRESS), { fetch, requestInit }))
  // The client checks structured results only of tools that it has listed.
  await client.listTools()
  return new Assistant(client)
}
