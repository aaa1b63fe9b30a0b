/** The files of the contract as they are on disk now, each read and parsed once. */

import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parse, YAMLParseError } from 'yaml'
import {
  BaseResolver,
  getLineColLocation,
  type Document as SourceDocument,
  type LocationObject,
  type Source,
} from '@redocly/openapi-core'
import { addErrorResponses, errorList, operationsWithErrors } from './error_responses.js'
import {
  expandMember,
  expandUnions,
  foldersOfEntries,
  memberName,
  refFromUnion,
  refsIn,
  withEntries,
  type Member,
  type Origin,
} from './families.js'
import { ContractFaults } from './faults.ts'
import { keysOfPointer, pointerOf } from './pointers.ts'
import { addReadOnlyMembers, recordOf } from './read_only.js'
import { isObject } from '../../server/kernel/is_object.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

/** The file of a family with the parts that its members share. */
const FAMILY = 'family.yaml'

/** The name of a file in messages: relative to the project, or to the current folder. */
export function nameOf(file: string): string {
  const fromProject = relative(projectRoot, file)
  return fromProject.startsWith('..') ? relative(process.cwd(), file) : fromProject
}

/** A file beside the contract. @throws ContractFaults with the location, if it is not YAML */
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

/** Where a schema of a family is declared. */
export interface Declaration {
  readonly name: string
  readonly file: string
  /** the key in that file */
  readonly entry: string
}

/** Reads the files of a contract for Redocly, each once. */
export class ContractFiles extends BaseResolver {
  /** The lists of error responses that files include. */
  readonly #lists = new Set<string>()
  /** Declarations of the schemas of families that have been read, by name in lower case. */
  readonly declarations = new Map<string, Declaration[]>()
  /** Entries that members of families add to other files, by the file of the member. */
  readonly #entries = new Map<string, Record<string, unknown>>()
  /** Positions of members' entries in the files that include them. */
  readonly #origins = new Map<string, readonly Origin[]>()

  /** The file with the responses of `x-errors`, expanded schemas of a family, and the members of `x-read-only-of`. */
  override async resolveDocument<T = unknown>(...[base, ref, isRoot]: [base: string | null, ref: string, isRoot?: boolean]) {
    const file = this.resolveExternalRef(base, ref)
    const known = this.cache.get(file)
    if (known !== undefined) return known as Promise<SourceDocument<T>> // the document of this file
    const read = super
      .resolveDocument<T>(base, ref, isRoot)
      .then(async (found) => this.#expanded(file, await this.#withErrorResponses(file, found)))
      .then(async (found) => this.#withReadOnlyMembers(file, found))
      .then(async (found) => this.#withEntries(file, found))
    this.cache.set(file, read as Promise<SourceDocument>)
    return read
  }

  async #withErrorResponses<T extends SourceDocument | Error>(file: string, found: T): Promise<T> {
    if (found instanceof Error) return found
    for (const operation of operationsWithErrors(found.parsed)) {
      const list = this.resolveExternalRef(file, errorList(operation) ?? '')
      this.#lists.add(list)
      addErrorResponses(operation, (await this.read(list))?.parsed)
    }
    return found
  }

  async #withReadOnlyMembers<T extends SourceDocument | Error>(file: string, found: T): Promise<T> {
    const record = found instanceof Error ? undefined : recordOf(found.parsed)
    if (found instanceof Error || record === undefined || !isObject(found.parsed)) return found
    addReadOnlyMembers(found.parsed, (await this.read(this.resolveExternalRef(file, record)))?.parsed)
    return found
  }

  async #withEntries<T extends SourceDocument | Error>(file: string, found: T): Promise<T> {
    if (found instanceof Error) return found
    const members = new Map<string, Member[]>()
    for (const path of foldersOfEntries(found.source.body)) {
      const folder = this.resolveExternalRef(file, path)
      members.set(path, await this.#members(folder, await this.#mapIn(join(folder, FAMILY))))
    }
    if (members.size === 0) return found
    const origins: Origin[] = []
    const parsed = withEntries(found.parsed, (path) => members.get(path) ?? [], origins)
    this.#origins.set(file, origins)
    return { ...found, parsed }
  }

  async #expanded<T extends SourceDocument | Error>(file: string, found: T): Promise<T> {
    if (found instanceof Error || !isObject(found.parsed)) return found
    const { 'x-families': _families, ...parsed } = found.parsed // used only by the plugin
    if (!/\/families\/\w+\/(?:unions\/)?\w+\.yaml$/.test(file) || basename(file) === FAMILY) return { ...found, parsed }
    const isUnions = basename(dirname(file)) === 'unions'
    const folder = isUnions ? dirname(dirname(file)) : dirname(file)
    const family = await this.#mapIn(join(folder, FAMILY))
    const expanded = isUnions
      ? {
          schemas: expandUnions(parsed, await this.#members(folder, family), family),
          names: new Map<string, string>(),
          entries: {},
        }
      : expandMember(memberName(file), parsed, family)
    this.#entries.set(file, expanded.entries)
    for (const name of Object.keys(expanded.schemas)) {
      const others = this.declarations.get(name.toLowerCase()) ?? []
      this.declarations.set(name.toLowerCase(), [...others, { name, file, entry: expanded.names.get(name) ?? name }])
    }
    return { ...found, parsed: expanded.schemas }
  }

  /** @throws YamlParseError if a file is not YAML */
  async #members(folder: string, family: Record<string, unknown>): Promise<Member[]> {
    const read = refsIn(family['members']).map(async (ref): Promise<Member> => {
      const file = join(folder, ref)
      const schemas = await this.#mapIn(file)
      return { name: memberName(ref), ref: refFromUnion(ref), file, schemas, entries: this.#entries.get(file) ?? {} }
    })
    return Promise.all(read)
  }

  /** @throws YamlParseError if the file is not YAML */
  async #mapIn(file: string): Promise<Record<string, unknown>> {
    const found = await this.resolveDocument(null, file)
    if (found instanceof Error) throw found
    return isObject(found.parsed) ? found.parsed : {}
  }

  /** The file, parsed; undefined if it is missing or not YAML. */
  async read(file: string): Promise<SourceDocument | undefined> {
    const found = await this.resolveDocument(null, file).catch(() => undefined)
    return found === undefined || found instanceof Error ? undefined : found
  }

  /** The texts of all files that could be read and parsed. */
  async sources(): Promise<Source[]> {
    const read = await Promise.allSettled(this.cache.values())
    return read.flatMap((found) => (found.status === 'fulfilled' && !(found.value instanceof Error) ? [found.value.source] : []))
  }

  /** Faults for entries of members that no file includes. */
  async unlistedEntries(): Promise<string[]> {
    const listed = new Set([...this.#origins.values()].flat().map(({ file, from }) => [file, from[1]].join('#')))
    const unlisted = [...this.#entries].flatMap(([file, entries]) =>
      Object.keys(entries).flatMap((name) => (listed.has(`${file}#${name}`) ? [] : [{ file, name }])),
    )
    const faults = unlisted.map(async ({ file, name }) => {
      const source = (await this.read(file))?.source
      const start = source && getLineColLocation({ source, pointer: pointerOf(['entries', name]), reportOnKey: true }).start
      return `${nameOf(file)}:${start?.line ?? 1}:${start?.col ?? 1}  No file lists the entries called ${name}.`
    })
    return Promise.all(faults)
  }

  /** The source of keys in a file: for the keys of an included entry, the file of the member. */
  writtenAt(file: string, keys: readonly string[]): { file: string; keys: readonly string[] } {
    const origins = this.#origins.get(file)?.filter(({ to }) => to.every((key, index) => key === keys[index])) ?? []
    const [origin] = origins.toSorted((a, b) => b.to.length - a.to.length)
    if (origin === undefined) return { file, keys }
    return { file: origin.file || file, keys: [...origin.from, ...keys.slice(origin.to.length)] }
  }

  /** The source of a location: a response from `x-errors` is in its list, a schema of a family in its entry. */
  async written(location: LocationObject): Promise<LocationObject> {
    const file = location.source.absoluteRef
    const keys = keysOfPointer(location.pointer ?? '')
    const at = this.writtenAt(file, keys)
    const source = at.keys === keys ? undefined : (await this.read(at.file))?.source
    if (source !== undefined) return { ...location, source, pointer: pointerOf(at.keys) }
    const declared = this.declaredAt(file, location.pointer ?? '')
    if (declared !== (location.pointer ?? '')) return { ...location, pointer: declared }
    const [, method = '', status = ''] = /^#\/(\w+)\/responses\/(\d+)/.exec(location.pointer ?? '') ?? []
    const response = partOf((await this.read(file))?.parsed, [method, 'responses', status, '$ref'])
    const [list, pointer] = typeof response === 'string' ? response.split('#') : []
    const read = list === undefined ? undefined : await this.#listOf(file, list)
    return read === undefined ? location : { ...location, source: read.source, pointer: `#${pointer}` }
  }

  /** The location in a family's file that declares the schema of a pointer. */
  declaredAt(file: string, pointer: string): string {
    const [, name = '', rest = ''] = /^#\/(\w+)(.*)$/.exec(pointer) ?? []
    const declared = this.declarations.get(name.toLowerCase())?.find((one) => one.file === file)
    return declared === undefined ? pointer : `#/${declared.entry}${rest}`
  }

  async #listOf(file: string, ref: string): Promise<SourceDocument | undefined> {
    const list = this.resolveExternalRef(file, ref)
    return this.#lists.has(list) ? this.read(list) : undefined
  }
}

/** The value at a path of keys. */
export function partOf(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) => (Array.isArray(part) ? part[Number(key)] : isObject(part) ? part[key] : undefined),
    value,
  )
}

/** Returns copies of the documents of another resolver, because Redocly's bundler changes its input. */
export class CopiedFiles extends BaseResolver {
  readonly #files: ContractFiles
  readonly #copies = new Map<SourceDocument, SourceDocument>()

  constructor(files: ContractFiles) {
    super()
    this.#files = files
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

const componentFolders = ['schemas', 'parameters', 'headers', 'responses', 'examples']

/** Component files below a folder, by name in lower case. Names are unique, so lists of two are faults. */
export function componentFiles(folder: string): ReadonlyMap<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.yaml') && componentFolders.includes(basename(dirname(file))))
    .filter((file) => basename(file) !== 'response_headers.yaml')
    .toSorted()
  return Map.groupBy(files, (file) => basename(file, '.yaml').toLowerCase())
}
