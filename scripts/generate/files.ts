/** The files of the contract as they are on disk now, each read and parsed once. */

import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parse, YAMLParseError } from 'yaml'
import { BaseResolver, type Document as SourceDocument, type LocationObject, type Source } from '@redocly/openapi-core'
import { addErrorAnswers, errorList, operationsWithErrors } from './error_answers.js'
import { ContractFaults } from './faults.ts'
import { isObject } from '../../server/kernel/is_object.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

/** The name of a file in messages: relative to the project, or to the current folder. */
export function nameOf(file: string): string {
  const fromProject = relative(projectRoot, file)
  return fromProject.startsWith('..') ? relative(process.cwd(), file) : fromProject
}

/** A file beside the contract. @throws ContractFaults with the place, if it is not YAML */
export function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text, { merge: true })
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    const [start] = error.linePos ?? []
    const [words = ''] = error.message.split(' at line ')
    throw new ContractFaults([`${nameOf(file)}:${start?.line ?? 1}:${start?.col ?? 1}  ${words}`])
  }
}

/** Reads files for Redocly. Callers that keep one call `forgetChanged` before each round. */
export class ContractFiles extends BaseResolver {
  readonly #stamps = new Map<string, string>()
  readonly #known = new Map<string, SourceDocument>()
  /** lists of error answers -> the files that have taken them in */
  readonly #users = new Map<string, Set<string>>()

  /** The file with the answers of `x-errors` in place. */
  override async resolveDocument<T = unknown>(...[base, ref, isRoot]: [base: string | null, ref: string, isRoot?: boolean]) {
    const file = this.resolveExternalRef(base, ref)
    const known = this.cache.get(file)
    if (known !== undefined) return known as Promise<SourceDocument<T>> // the document of this file
    const read = super.resolveDocument<T>(base, ref, isRoot).then(async (found) => {
      const whole = await this.#withErrorAnswers(file, found)
      if (!(whole instanceof Error)) this.#known.set(file, whole)
      return whole
    })
    this.cache.set(file, read as Promise<SourceDocument>)
    return read
  }

  override async loadExternalRef(file: string): Promise<Source> {
    this.#stamps.set(file, stampOf(file))
    return super.loadExternalRef(file)
  }

  async #withErrorAnswers<T extends SourceDocument | Error>(file: string, found: T): Promise<T> {
    if (found instanceof Error) return found
    for (const operation of operationsWithErrors(found.parsed)) {
      const list = this.resolveExternalRef(file, errorList(operation) ?? '')
      this.#users.set(list, (this.#users.get(list) ?? new Set()).add(file))
      addErrorAnswers(operation, (await this.read(list))?.parsed)
    }
    return found
  }

  /** The file, parsed; undefined if it is missing or not YAML. */
  async read(file: string): Promise<SourceDocument | undefined> {
    const found = await this.resolveDocument(null, file).catch(() => undefined)
    return found === undefined || found instanceof Error ? undefined : found
  }

  /** The file as it was read last; undefined if it has not been read, or not since it changed. */
  known(file: string): SourceDocument | undefined {
    return this.#known.get(file)
  }

  /** The texts of all files that could be read and parsed. */
  async sources(): Promise<Source[]> {
    const read = await Promise.allSettled(this.cache.values())
    return read.flatMap((found) => (found.status === 'fulfilled' && !(found.value instanceof Error) ? [found.value.source] : []))
  }

  /** Where a place is written: an answer that came from `x-errors` is in its list. */
  async written(place: LocationObject): Promise<LocationObject> {
    const file = place.source.absoluteRef
    const [, method = '', status = ''] = /^#\/(\w+)\/responses\/(\d+)/.exec(place.pointer ?? '') ?? []
    const answer = partOf((await this.read(file))?.parsed, [method, 'responses', status, '$ref'])
    const [list, pointer] = typeof answer === 'string' ? answer.split('#') : []
    const read = list === undefined ? undefined : await this.#listOf(file, list)
    return read === undefined ? place : { ...place, source: read.source, pointer: `#${pointer}` }
  }

  async #listOf(file: string, ref: string): Promise<SourceDocument | undefined> {
    const list = this.resolveExternalRef(file, ref)
    return this.#users.has(list) ? this.read(list) : undefined
  }

  /** Forgets the files that have changed or been deleted since they were read. @returns their names */
  forgetChanged(): string[] {
    const changed = [...this.#stamps].filter(([file, stamp]) => stamp === '' || stampOf(file) !== stamp).map(([file]) => file)
    for (const file of changed) this.#forget(file)
    return changed
  }

  /** Forgets one of so many files, but not the first, as if they had changed. */
  forgetOneOf(count: number): void {
    for (const [index, file] of [...this.cache.keys()].entries()) if (index % count === count - 1) this.#forget(file)
  }

  #forget(file: string): void {
    for (const one of [...(this.#users.get(file) ?? []), file]) {
      this.cache.delete(one)
      this.#known.delete(one)
    }
    this.#stamps.delete(file)
  }
}

/** The value at a path of keys. */
export function partOf(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) => (Array.isArray(part) ? part[Number(key)] : isObject(part) ? part[key] : undefined),
    value,
  )
}

/** Returns copies of what another resolver has read, because Redocly's bundler changes its input. */
export class CopiedFiles extends BaseResolver {
  readonly #files: ContractFiles
  readonly #copies = new Map<SourceDocument, SourceDocument>()

  constructor(files: ContractFiles) {
    super()
    this.#files = files
  }

  /** What has been read, and its copy. */
  get made(): readonly (readonly [original: SourceDocument, copy: SourceDocument])[] {
    return [...this.#copies]
  }

  override async resolveDocument<T = unknown>(...args: [base: string | null, ref: string, isRoot?: boolean]) {
    const original = await this.#files.resolveDocument<T>(...args)
    if (original instanceof Error) return original
    const known = this.#copies.get(original)
    if (known !== undefined) return known as SourceDocument<T> // the copy of this document
    const copy = { source: original.source, parsed: copyOf(original.parsed) as T }
    this.#copies.set(original, copy)
    return copy
  }
}

/** Faster than `structuredClone` for thousands of small trees. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]))
}

/** Identifies the state of a file; empty if it does not exist. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
}

const componentFolders = ['schemas', 'parameters', 'headers', 'responses', 'examples']

/** Files below a folder that are components, by their name in lower case. Names are unique, so lists of two are faults. */
export function componentFiles(folder: string): ReadonlyMap<string, string[]> {
  const names = filesBelow(folder)
  const known = componentsOf.get(folder)
  if (known?.names === names) return known.components
  const files = names
    .filter((file) => file.endsWith('.yaml') && componentFolders.includes(basename(dirname(file))))
    .filter((file) => basename(file) !== 'answer_headers.yaml')
    .toSorted()
  const components = Map.groupBy(files, (file) => basename(file, '.yaml').toLowerCase())
  componentsOf.set(folder, { names, components })
  return components
}

const componentsOf = new Map<string, { readonly names: readonly string[]; readonly components: ReadonlyMap<string, string[]> }>()

interface Listing {
  readonly stamp: string
  /** with those of all folders below */
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

const listings = new Map<string, Listing>()
/** Milliseconds in which a folder may change again without a new stamp. */
const STAMP_MS = 50

/** Paths of all files below a folder; the same object as long as they are the same. Only folders that have changed are read again. */
function filesBelow(folder: string): readonly string[] {
  const stats = statSync(folder)
  const stamp = `${stats.ino} ${stats.mtimeMs}`
  const known = listings.get(folder)
  if (known?.stamp === stamp) {
    const areSame = known.folders.map((name) => listings.get(name)?.files === filesBelow(name))
    if (areSame.every(Boolean)) return known.files
  }
  const entries = readdirSync(folder, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  const files = [
    ...entries.filter((entry) => !entry.isDirectory()).map(({ name }) => join(folder, name)),
    ...folders.flatMap((name) => filesBelow(name)),
  ]
  const isSettled = Date.now() - stats.mtimeMs > STAMP_MS
  listings.set(folder, { stamp: isSettled ? stamp : '', files, folders })
  return files
}
