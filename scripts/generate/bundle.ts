/** Step 1: the files of `spec/` become one document. Redocly does the work, in this process. */

import { dirname, join, relative } from 'node:path'
import {
  bundle as bundleFiles,
  createConfig,
  getLineColLocation,
  YamlParseError,
  type LocationObject,
  type NormalizedProblem,
  type Document as SourceDocument,
} from '@redocly/openapi-core'
import { readAnswerHeaders, type AnswerHeader } from './answer_headers.ts'
import type { Document } from './document.ts'
import { CollectedFaults, ContractFaults } from './faults.ts'
import { componentFiles, ContractFiles, CopiedFiles, nameOf } from './files.ts'
import { isObject } from '../../server/kernel/is_object.ts'

export interface Bundle {
  document: Document
  answerHeaders: AnswerHeader[]
}

/** What could be bundled. Broken references are left as they are. */
export interface BundleWithFaults {
  /** absent if the root file is no OpenAPI document */
  readonly bundle?: Bundle
  readonly faults: readonly string[]
}

const headerTable = 'shared/headers/answer_headers.yaml'

/**
 * Bundles the contract whose root file is `root` (absolute path). The response headers named in
 * `shared/headers/answer_headers.yaml` beside the root come in as components, although no source file refers to them.
 * @param files what has been read of it
 * @throws ContractFaults `file:line:column  what`, in Redocly's own words, when references are broken or files share a name
 */
export async function bundle(root: string, files = new ContractFiles()): Promise<Bundle> {
  const { bundle: made, faults } = await bundleWithFaults(root, files)
  if (made === undefined || faults.length > 0) throw new ContractFaults(faults)
  return made
}

/** Bundles as much of the contract as can be read. */
export async function bundleWithFaults(root: string, files: ContractFiles): Promise<BundleWithFaults> {
  const faults = new CollectedFaults()
  const answerHeaders = (await faults.result(readAnswerHeaders(dirname(root)))) ?? []
  const document = await faults.result(bundleRoot(root, files, answerHeaders, faults))
  return {
    ...(document && { bundle: { document, answerHeaders } }),
    faults: [...sharedNames(dirname(root), files), ...faults.all],
  }
}

/** Bundles a document beside the contract that shares components with it, without the contract's answer headers. @throws as `bundle` */
export async function bundleBeside(root: string, files: ContractFiles): Promise<Document> {
  const faults = new CollectedFaults()
  const document = await bundleRoot(root, files, [], faults)
  faults.throwAny()
  return document
}

async function bundleRoot(
  root: string,
  files: ContractFiles,
  answerHeaders: readonly AnswerHeader[],
  faults: CollectedFaults,
): Promise<Document> {
  const copies = new CopiedFiles(files)
  const source = await readRoot(root, copies)
  const headers = Object.fromEntries(answerHeaders.map(({ component, file }) => [component, { $ref: relativeRef(root, file) }]))
  const parsed = { ...source.parsed, components: { ...componentsIn(source.parsed), headers } }
  const { problems } = await bundleFiles({
    doc: { source: source.source, parsed },
    config: await createConfig({}),
    externalRefResolver: copies,
    componentRenamingConflicts: 'error',
  })
  for (const { message, location } of distinct(problems)) {
    const written = location[0] === undefined ? undefined : await files.written(location[0])
    faults.add(`${placeOf(written, answerHeaders, root)}  ${readable(message)}`)
  }
  return readDocument(parsed, root)
}

async function readRoot(root: string, files: CopiedFiles): Promise<SourceDocument<Record<string, unknown>>> {
  const found = await files.resolveDocument(null, root, true).catch((error: unknown) => error)
  if (found instanceof YamlParseError) throw new ContractFaults([`${nameOf(root)}:${found.line}:${found.col}  ${found.message}`])
  if (found instanceof Error) throw new ContractFaults([`${nameOf(root)}  ${readable(found.message)}`])
  if (!isObject(found) || !isObject(found['parsed'])) throw new ContractFaults([`${nameOf(root)}  The file is not a YAML map.`])
  return found as unknown as SourceDocument<Record<string, unknown>> // as it has just been checked
}

function componentsIn(source: Record<string, unknown>): Record<string, unknown> {
  return isObject(source['components']) ? source['components'] : {}
}

function relativeRef(root: string, file: string): string {
  return `./${relative(dirname(root), file)}`
}

/** Files that claim the same component name, each with the other. */
function sharedNames(folder: string, { declarations }: ContractFiles): string[] {
  const named = [...declarations].flatMap(([name, found]) => found.map(({ file }) => ({ name, file })))
  const written = [...componentFiles(folder)].flatMap(([name, found]) => found.map((file) => ({ name, file })))
  return [...Map.groupBy([...written, ...named], ({ name }) => name).values()]
    .map((group) => group.map(({ file }) => file))
    .filter((files) => files.length > 1)
    .map(
      ([first = '', ...others]) =>
        `${others.map(nameOf).join(', ')}  ${nameOf(first)} has the same name; names have to be unique.`,
    )
}

/** Leaves out faults that follow from others: shared names, and references to a file that is not YAML. */
function distinct(problems: readonly NormalizedProblem[]): NormalizedProblem[] {
  const [failed, unresolved] = ['Failed to parse: ', "Can't resolve $ref: "]
  const told = new Set(problems.map(({ message }) => message).filter((message) => message.startsWith(failed)))
  return problems
    .filter(({ message }) => !message.startsWith('Two schemas are referenced with the same name'))
    .filter(({ message }) => !message.startsWith(unresolved) || !told.has(failed + message.slice(unresolved.length)))
}

/** `file:line:column`; a reference that the root has only for the bundler is one of the table of headers. */
function placeOf(location: LocationObject | undefined, headers: readonly AnswerHeader[], root: string): string {
  const pointer = location?.pointer ?? ''
  const header = headers.find(({ component }) => pointer.startsWith(`#/components/headers/${component}`))
  if (location === undefined) return nameOf(root)
  if (header !== undefined && location.source.absoluteRef === root) return nameOf(join(dirname(root), headerTable))
  const { start } = getLineColLocation(location)
  return `${nameOf(location.source.absoluteRef)}:${start.line}:${start.col}`
}

/** Redocly's message without the folder of the project. */
function readable(message: string): string {
  return message.replaceAll(/(?<![\w.])\/[\w./-]+/g, (path) => nameOf(path))
}

function readDocument(value: Record<string, unknown>, root: string): Document {
  const document = JSON.parse(JSON.stringify(value)) as unknown
  if (!isObject(document) || typeof document['openapi'] !== 'string' || !isObject(document['paths']))
    throw new ContractFaults([`${nameOf(root)}  The file is not an OpenAPI document.`])
  // Its structure is what `npm run lint` checks.
  return { components: {}, ...document } as unknown as Document
}
