import { AssertionError } from 'node:assert'
import { isObject, type JsonObject } from '../harness/json.ts'
import { asRecord } from './install.ts'

/** A call of a program, and its failure. */
export interface Tried {
  readonly name: string
  readonly fault?: string
}

class Stopped extends Error {}

/** The results of one client's program. */
export class Run {
  readonly tried: Tried[] = []

  /** Calls that depend on each other: the first failure ends this part only. */
  async part(name: string, calls: () => Promise<void>): Promise<void> {
    try {
      await calls()
    } catch (error) {
      if (!(error instanceof Stopped)) this.tried.push({ name: `${name}: the program`, fault: wordsOf(error) })
    }
  }

  /**
   * Counts one call.
   * @param check throws if the response lacks something that users of the client rely on
   */
  async value<T>(name: string, call: () => Promise<T> | T, check?: (response: T) => void): Promise<T> {
    try {
      const response = await call()
      check?.(response)
      this.tried.push({ name })
      return response
    } catch (error) {
      this.tried.push({ name, fault: wordsOf(error) })
      throw new Stopped()
    }
  }

  /** Like `value`, for a response that is an object. */
  object(name: string, call: () => unknown, check?: (response: JsonObject) => void): Promise<JsonObject> {
    return this.value(
      name,
      async () => {
        const response: unknown = await call()
        if (!isObject(response)) throw new Error(`no object: ${JSON.stringify(response)?.slice(0, 100)}`)
        return response
      },
      check,
    )
  }

  /** Makes a call that must fail in the client's documented way. */
  async refused(name: string, call: () => unknown, check: (error: Readonly<Record<string, unknown>>) => void): Promise<void> {
    const nothing = Symbol('nothing')
    await this.value(
      name,
      async () => {
        const error: unknown = await Promise.resolve(call()).then(
          () => nothing,
          (caught: unknown) => caught,
        )
        if (error === nothing) throw new Error('it went well')
        return asRecord(error)
      },
      check,
    )
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof AssertionError) return error.message.replaceAll(/\s+/g, ' ').slice(0, 300)
  return String(error instanceof Error ? `${error.name}: ${error.message}` : error)
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
}

/** The method at a path such as `blocks.children.list`, bound; undefined if the client does not have it. */
export function methodAt(client: unknown, path: string): ((...input: unknown[]) => unknown) | undefined {
  let owner: unknown = client
  let found: unknown = client
  for (const step of path.split('.')) [owner, found] = [found, asRecord(found)[step]]
  return typeof found === 'function' ? (...input) => Reflect.apply(Object(found), owner, input) : undefined
}

/** Creates an instance of an exported class. */
export function construct(exported: unknown, ...input: unknown[]): unknown {
  if (typeof exported !== 'function') throw new Error('the package has no such class')
  return Reflect.construct(exported, input)
}
