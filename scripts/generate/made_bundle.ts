/** A bundle that takes up files that have changed, as long as they refer to the same files in the same places. */

import { fileReferences, referToTheSame } from './file_references.ts'
import { copyOf, partOf, type ContractFiles, type CopiedFiles } from './files.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** A file as it was read, and as the bundler has left its copy. */
interface BundledFile {
  readonly parsed: unknown
  readonly bundled: unknown
}

/** How other files refer to a file. */
interface Use {
  /** as a component, by name */
  components: number
  /** by having it put in the place of the reference */
  inlined: number
  /** to a part of it */
  parts: number
}

export class MadeBundle {
  /** As Redocly has made it. */
  readonly document: Record<string, unknown>
  readonly #files: Map<string, BundledFile>
  #uses: ReadonlyMap<string, Use> | undefined

  /** @param document made of the copies without any problem */
  constructor(document: Record<string, unknown>, copies: CopiedFiles) {
    this.document = document
    this.#files = new Map(copies.made.map(([{ source, parsed }, copy]) => [source.absoluteRef, { parsed, bundled: copy.parsed }]))
  }

  /** Takes up what has changed. @returns false if that needs a new bundle; this one is as it was then */
  async update(files: ContractFiles): Promise<boolean> {
    const changed: [file: string, was: BundledFile, is: BundledFile][] = []
    for (const [file, was] of this.#files) {
      const read = files.known(file) ?? (await files.read(file))
      if (read === undefined) return false
      if (read.parsed === was.parsed) continue
      const bundled = this.#isReplaceable(file, files) ? withReferences(was, read.parsed) : undefined
      if (bundled === undefined || this.#places(was.bundled).length === 0) return false
      changed.push([file, was, { parsed: read.parsed, bundled }])
    }
    for (const [file, was, is] of changed) {
      for (const place of this.#places(was.bundled)) place(is.bundled)
      this.#files.set(file, is)
    }
    return true
  }

  /** Whether all of its users name it as a component, or all have put the whole of it in their place. */
  #isReplaceable(file: string, files: ContractFiles): boolean {
    this.#uses ??= usesOf(this.#files, files)
    const { components = 0, inlined = 0, parts = 0 } = this.#uses.get(file) ?? {}
    const { paths, webhooks } = this.document
    const items = [paths, webhooks].flatMap((group) => Object.values(isObject(group) ? group : {}))
    const { bundled } = this.#files.get(file) ?? {}
    return (
      parts === 0 && (components === 0 || inlined === 0) && items.filter((item) => isShared(item, bundled)).length === inlined
    )
  }

  /** Where the content of a file stands: each takes another one. */
  #places(bundled: unknown): ((content: unknown) => void)[] {
    const { paths, webhooks, components } = this.document
    const groups = [...Object.values(isObject(components) ? components : {}), paths, webhooks].filter((group) => isObject(group))
    return groups.flatMap((group) =>
      Object.entries(group)
        .filter(([, value]) => value === bundled || ((group === paths || group === webhooks) && isShared(value, bundled)))
        .map(
          ([name]) =>
            (content: unknown) =>
              void (group[name] = content),
        ),
    )
  }
}

/** Whether one object has exactly the members of another. */
function isShared(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return keys.length > 0 && keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}

/** A copy of what a file says now, with the references as they are in the bundle; undefined if it has others than it had. */
function withReferences(was: BundledFile, parsed: unknown): unknown {
  if (!referToTheSame(was.parsed, parsed)) return undefined
  const copy = copyOf(parsed)
  for (const { keys } of fileReferences(parsed)) {
    const text = partOf(was.bundled, keys)
    const holder = partOf(copy, keys.slice(0, -1))
    if (typeof text !== 'string' || !isObject(holder)) return undefined
    holder[keys.at(-1) ?? ''] = text
  }
  return copy
}

function usesOf(bundled: ReadonlyMap<string, BundledFile>, files: ContractFiles): Map<string, Use> {
  const uses = new Map<string, Use>()
  for (const [file, { parsed, bundled: made }] of bundled)
    for (const { keys, text } of fileReferences(parsed)) {
      const [target = '', part] = text.split('#')
      if (target === '') continue
      const use = { components: 0, inlined: 0, parts: 0, ...uses.get(files.resolveExternalRef(file, target)) }
      uses.set(files.resolveExternalRef(file, target), use)
      const now = partOf(made, keys)
      if (part !== undefined) use.parts += 1
      else if (typeof now === 'string' && now.startsWith('#/components/')) use.components += 1
      else use.inlined += 1
    }
  return uses
}
