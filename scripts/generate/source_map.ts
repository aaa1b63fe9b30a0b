/** Finds the file and line in `spec/` for a path of the bundle. */

import { dirname } from 'node:path'
import { getLineColLocation, type Document as SourceDocument } from '@redocly/openapi-core'
import { componentFiles, nameOf, type ContractFiles } from './files.ts'
import { keysOfPointer, pointerOf } from './pointers.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** A location in a file; line and column count from 1. */
export interface SourceLocation {
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** The path of keys as a JSON pointer. */
  readonly location: string
}

/** Keys of the bundle from its root, as in `['components', 'schemas', 'Block']`. */
export type BundlePath = readonly (string | number)[]

export class SourceMap {
  readonly #root: string
  readonly #files: ContractFiles
  #components: ReadonlyMap<string, string[]> | undefined

  /** @param root absolute path of the contract's root file */
  constructor(root: string, files: ContractFiles) {
    this.#root = root
    this.#files = files
  }

  /** The source of a path or, for parts that the generator has added, of the nearest enclosing path in a file. */
  async locate(path: BundlePath): Promise<SourceLocation> {
    const at = await this.#find(path)
    const location = this.#files.declaredAt(at.file, pointerOf(at.keys))
    if (at.document === undefined) return { file: nameOf(at.file), location }
    const { start } = getLineColLocation({ source: at.document.source, pointer: location, reportOnKey: true })
    return { file: nameOf(at.file), line: start.line, column: start.col, location }
  }

  /** The file of a path, without its line, which takes longer to find. */
  async file(path: BundlePath): Promise<string> {
    return nameOf((await this.#find(path)).file)
  }

  async #find(path: BundlePath): Promise<Position> {
    const at = await this.#findTaken(path)
    const { file, keys } = this.#files.writtenAt(at.file, at.keys)
    return keys === at.keys ? at : { ...(await this.#top(file)), keys }
  }

  /** Entries of families are found in the file that includes them. */
  async #findTaken(path: BundlePath): Promise<Position> {
    this.#components ??= componentFiles(dirname(this.#root))
    const [section, , word, ...rest] = path
    const name = section === 'components' ? String(word).toLowerCase() : ''
    const [declared] = this.#files.declarations.get(name) ?? []
    if (declared !== undefined) return this.#walk(declared.file, [String(word), ...rest])
    const [file] = this.#components.get(name) ?? []
    return this.#walk(file ?? this.#root, file === undefined ? path : rest)
  }

  async #walk(file: string, path: BundlePath): Promise<Position> {
    let at = await this.#top(file)
    for (const key of path) {
      const value = valueAt(at)
      const ref = isObject(value) && !(key in value) ? value['$ref'] : undefined
      if (typeof ref === 'string' && !ref.startsWith('#')) at = await this.#target(at.file, ref)
      const holder = valueAt(at)
      if (!Array.isArray(holder) && !isObject(holder)) break
      if (!Object.hasOwn(holder, key)) break
      at = { ...at, keys: [...at.keys, String(key)] }
    }
    return at
  }

  async #target(from: string, ref: string): Promise<Position> {
    const [path = '', pointer = ''] = ref.split('#')
    return { ...(await this.#top(this.#files.resolveExternalRef(from, path))), keys: keysOfPointer(pointer) }
  }

  async #top(file: string): Promise<Position> {
    return { file, document: await this.#files.read(file), keys: [] }
  }
}

interface Position {
  readonly file: string
  readonly document: SourceDocument | undefined
  readonly keys: readonly string[]
}

function valueAt({ document, keys }: Position): unknown {
  let value: unknown = document?.parsed
  for (const key of keys) value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined
  return value
}
