import { setTimeout as pause } from 'node:timers/promises'
import { isObject, resultsOf, type JsonObject } from '../../harness/json.ts'
import { construct, methodAt, type Run } from '../run.ts'
import type { Setting } from './program.ts'

const TRIES_MAX = 300

/** The official client, called with the methods and names of its release. */
export class Official {
  readonly run: Run
  readonly protocol: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly client: unknown

  constructor(run: Run, protocol: string, exports: Readonly<Record<string, unknown>>, client: unknown) {
    this.run = run
    this.protocol = protocol
    this.exports = exports
    this.client = client
  }

  /** Whether the client of this release has all of these methods. */
  has(...paths: string[]): boolean {
    return paths.every((path) => methodAt(this.client, path))
  }

  /** Calls a method such as `pages.create`. */
  call(path: string, args: object, check?: (response: JsonObject) => void): Promise<JsonObject> {
    return this.run.object(path, () => this.send(path, args), check)
  }

  /** Repeats a call until its response satisfies `isDone`. */
  until(path: string, args: object, isDone: (response: JsonObject) => boolean): Promise<JsonObject> {
    return this.run.object(path, async () => {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const response: unknown = await this.send(path, args)
        if (isObject(response) && isDone(response)) return response
        await pause(100)
      }
      throw new Error('it did not come to that')
    })
  }

  /** Makes a call that must fail with this code. */
  refused(path: string, args: object, code: string, client: unknown = this.client): Promise<void> {
    return this.run.refused(
      `${path}, ${code}`,
      () => methodAt(client, path)?.(args),
      (error) => {
        const known = methodAt(this.exports, 'isNotionClientError')?.(error)
        if (error['code'] !== code || known === false)
          throw new Error(`${String(error['name'])} ${String(error['code'])}: ${String(error['message'])}`)
      },
    )
  }

  /** Reads a whole list, page by page, in code that works with every release. */
  async all(path: string, args: object): Promise<JsonObject[]> {
    const found: JsonObject[] = []
    for (let cursor: unknown = undefined; ;) {
      const page = await this.call(path, { ...args, ...(typeof cursor === 'string' ? { start_cursor: cursor } : {}) })
      found.push(...resultsOf(page))
      cursor = page['has_more'] === true ? page['next_cursor'] : undefined
      if (typeof cursor !== 'string') return found
    }
  }

  private send(path: string, args: object): unknown {
    const method = methodAt(this.client, path)
    if (!method) throw new Error(`the client has no ${path}`)
    return method(args)
  }
}

/** Creates the client as users do, with address and token. */
export async function makeOfficial(setting: Setting, token = setting.service.token): Promise<Official> {
  const { installed, client, service, run } = setting
  const exports = await installed.load('@notionhq/client')
  const options = {
    auth: token,
    baseUrl: service.url,
    logLevel: 'error',
    ...(client.set ? { notionVersion: client.protocol } : {}),
  }
  return new Official(run, client.protocol, exports, construct(exports['Client'], options))
}

/** A plain text in rich text. */
export function text(content: string): object[] {
  return [{ type: 'text', text: { content } }]
}

/** Whether a record is in the trash, by the key of its release. */
export function isInTrash(record: JsonObject): boolean {
  return record['archived'] === true || record['in_trash'] === true
}

export function typesOf(blocks: readonly JsonObject[]): unknown[] {
  return blocks.filter(isObject).map((block) => block['type'])
}
