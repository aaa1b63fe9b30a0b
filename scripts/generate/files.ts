/** The files of the contract as they are on disk now, each read and parsed once. */

import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parse, YAMLParseError } from 'yaml'
import { BaseResolver, type Document as SourceDocument, type Source } from '@redocly/openapi-core'
import { ContractFaults } from './faults.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

/** How a file is named in messages: from the project, or from where the command was called. */
export function nameOf(file: string): string {
  const fromProject = relative(projectRoot, file)
  return fromProject.startsWith('..') ? relative(process.cwd(), file) : fromProject
}

/** A file beside the contract. @throws ContractFaults naming the place of what is no YAML */
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

/** Reads for Redocly. Whoever keeps one calls `forgetChanged` before each round. */
export class ContractFiles extends BaseResolver {
  readonly #stamps = new Map<string, string>()

  override async loadExternalRef(file: string): Promise<Source> {
    this.#stamps.set(file, stampOf(file))
    return super.loadExternalRef(file)
  }

  /** The file, parsed; undefined where it is missing or no YAML. */
  async read(file: string): Promise<SourceDocument | undefined> {
    const found = await this.resolveDocument(null, file).catch(() => undefined)
    return found === undefined || found instanceof Error ? undefined : found
  }

  /** Forgets the files that have changed or gone since they were read, and says which. */
  forgetChanged(): string[] {
    const changed = [...this.#stamps].filter(([file, stamp]) => stamp === '' || stampOf(file) !== stamp).map(([file]) => file)
    for (const file of changed) {
      this.cache.delete(file)
      this.#stamps.delete(file)
    }
    return changed
  }
}

/** Gives copies of what another resolver has read, for Redocly's bundler, which changes what it bundles. */
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

/** Tells states of a file apart; empty when it is not there. */
function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
}

const componentFolders = ['schemas', 'parameters', 'headers', 'responses', 'examples']

/** Files below a folder that are components, by their name in lower case. Names are unique, so lists of two are faults. */
export function componentFiles(folder: string): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && componentFolders.includes(basename(dirname(file))))
    .filter((file) => basename(file) !== 'answer_headers.yaml')
    .map((file) => join(folder, file))
    .toSorted()
  return Map.groupBy(files, (file) => basename(file, '.yaml').toLowerCase())
}
