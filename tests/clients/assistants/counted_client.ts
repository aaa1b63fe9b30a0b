import type { Client } from '@modelcontextprotocol/client'
import { isObject, parseObject, type JsonObject } from '../../harness/json.ts'

/** The effort of a model for a task: calls of tools, and the bytes that it writes and reads. */
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

  /** The effort since the last call of `take`. */
  take(): Effort {
    const effort = { calls: this.#calls, bytes: this.#bytes }
    this.#calls = 0
    this.#bytes = 0
    return effort
  }

  /** @returns the text of the result @throws Error for an error of the tool */
  async text(name: string, input: object): Promise<string> {
    return (await this.#result(name, input)).text
  }

  /** @returns the structured part of the result; its text as JSON, if it has none */
  async json(name: string, input: object): Promise<JsonObject> {
    const { text, structured } = await this.#result(name, input)
    return isObject(structured) ? structured : parseObject(text)
  }

  /** Counts the text and the structured part, although most models are shown only one of them. */
  async #result(name: string, input: object): Promise<{ text: string; structured: unknown }> {
    const result = await this.#client.callTool({ name, arguments: { ...input } })
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    this.#calls += 1
    const parts = [JSON.stringify(input), text, JSON.stringify(result.structuredContent) ?? '']
    this.#bytes += parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
    if (result.isError === true || /^\{"(?:object|status)":"error"/.test(text)) throw new Error(`${name}: ${text.slice(0, 300)}`)
    return { text, structured: result.structuredContent }
  }

  /** The bytes of the descriptions of all tools, which a model reads before the first call. */
  async descriptionBytes(): Promise<number> {
    const { tools } = await this.#client.listTools()
    return Buffer.byteLength(JSON.stringify(tools))
  }
}
