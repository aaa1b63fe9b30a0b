import type { Client } from '@modelcontextprotocol/client'
import { parseObject, type JsonObject } from '../../harness/json.ts'

/** What a task needs from a model: calls of tools, and the bytes that it writes and reads. */
export interface Effort {
  readonly calls: number
  readonly bytes: number
}

/** A client of a tool server that counts calls and bytes. */
export class CountedClient {
  readonly #client: Client
  #calls = 0
  #bytes = 0

  constructor(client: Client) {
    this.#client = client
  }

  /** The effort since the last time. */
  take(): Effort {
    const effort = { calls: this.#calls, bytes: this.#bytes }
    this.#calls = 0
    this.#bytes = 0
    return effort
  }

  /** @returns the text of the result @throws Error for an error of the tool */
  async text(name: string, input: object): Promise<string> {
    const result = await this.#client.callTool({ name, arguments: { ...input } })
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    this.#calls += 1
    this.#bytes += Buffer.byteLength(JSON.stringify(input)) + Buffer.byteLength(text)
    if (result.isError === true || /^\{"(?:object|status)":"error"/.test(text)) throw new Error(`${name}: ${text.slice(0, 300)}`)
    return text
  }

  async json(name: string, input: object): Promise<JsonObject> {
    return parseObject(await this.text(name, input))
  }

  /** The bytes of the descriptions of all tools, which a model reads before the first call. */
  async descriptionBytes(): Promise<number> {
    const { tools } = await this.#client.listTools()
    return Buffer.byteLength(JSON.stringify(tools))
  }
}
