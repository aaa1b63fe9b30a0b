import { AssertionError } from 'node:assert'
import { isObject, type JsonObject } from '../harness/json.ts'
import { asRecord } from './install.ts'

/** One call that a program made, and what went wrong with it. */
export interface Tried {
  readonly name: string
  readonly fault?: string
}

class Stopped extends Error {}

/** What came of one client's program. */
export class Run {
  readonly tried: Tried[] = []

  /** Calls that need each other: the first that fails ends its part, and no other. */
  async part(name: string, calls: () => Promise<void>): Promise<void> {
    try {
      await calls()
    } catch (error) {
      if (!(error instanceof Stopped)) this.tried.push({ name: `${name}: the program`, fault: wordsOf(error) })
    }
  }

  /** One call, counted. @param check throws where the answer is not what a user of the client relies on */
  async value<T>(name: string, call: () => Promise<T> | T, check?: (answer: T) => void): Promise<T> {
    try {
      const answer = await call()
      check?.(answer)
      this.tried.push({ name })
      return answer
    } catch (error) {
      this.tried.push({ name, fault: wordsOf(error) })
      throw new Stopped()
    }
  }

  /** The same for an answer that is an object. */
  object(name: string, call: () => unknown, check?: (answer: JsonObject) => void): Promise<JsonObject> {
    return this.value(
      name,
      async () => {
        const answer: unknown = await call()
        if (!isObject(answer)) throw new Error(`no object: ${JSON.stringify(answer)?.slice(0, 100)}`)
        return answer
      },
      check,
    )
  }

  /** A call that should fail, in the way that the client tells its users. */
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

/** The method at a path such as `blocks.children.list`, bound; undefined where the client has none. */
export function methodAt(client: unknown, path: string): ((...input: unknown[]) => unknown) | undefined {
  let owner: unknown = client
  let found: unknown = client
  for (const step of path.split('.')) [owner, found] = [found, asRecord(found)[step]]
  return typeof found === 'function' ? (...input) => Reflect.apply(Object(found), owner, input) : undefined
}

/** Makes an instance of a class that a package exports. */
export function construct(exported: unknown, ...input: unknown[]): unknown {
  if (typeof exported !== 'function') throw new Error('the package has no such class')
  return Reflect.construct(exported, input)
}
