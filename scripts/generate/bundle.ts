/** Step 1: bundles the files of `spec/` into one document. Redocly runs in this process. */

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
import { readResponseHeaders, type ResponseHeader } from './response_headers.ts'
import type { Document } from './document.ts'
import { CollectedFaults, ContractFaults } from './faults.ts'
import { componentFiles, ContractFiles, CopiedFiles, nameOf } from './files.ts'
import { isObject } from '../../server/kernel/is_object.ts'

export interface Bundle {
  document: Document
  responseHeaders: ResponseHeader[]
}

/** A bundle as far as it could be read. Broken references stay in place. */
export interface BundleWithFaults {
  /** absent if the root file is not an OpenAPI document */
  readonly bundle?: Bundle
  readonly faults: readonly string[]
}

const headerTable = 'shared/headers/response_headers.yaml'

/**
 * Bundles the contract whose root file is `root` (absolute path). The response headers named in `shared/headers/response_headers.yaml` beside
 * the root come in as components, although no source file refers to them.
 * @param files cache of files already read
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
  const responseHeaders = (await faults.result(readResponseHeaders(dirname(root)))) ?? []
  const document = await faults.result(bundleRoot(root, files, responseHeaders, faults))
  return {
    ...(document && { bundle: { document, responseHeaders } }),
    faults: [...sharedNames(dirname(root), files), ...faults.all],
  }
}

/** Bundles a document beside the contract that shares components with it, without the contract's response headers. @throws as `bundle` */
export async function bundleBeside(root: string, files: ContractFiles): Promise<Document> {
  const faults = new CollectedFaults()
  const document = await bundleRoot(root, files, [], faults)
  faults.throwAny()
  return document
}

async function bundleRoot(
  root: string,
  files: ContractFiles,
  responseHeaders: readonly ResponseHeader[],
  faults: CollectedFaults,
): Promise<Document> {
  const copies = new CopiedFiles(files)
  const source = await readRoot(root, copies)
  const headers = Object.fromEntries(responseHeaders.map(({ component, file }) => [component, { $ref: relativeRef(root, file) }]))
  const parsed = { ...source.parsed, components: { ...componentsIn(source.parsed), headers } }
  const { problems } = await bundleFiles({
    doc: { source: source.source, parsed },
    config: await createConfig({}),
    externalRefResolver: copies,
    componentRenamingConflicts: 'error',
  })
  for (const { message, location } of distinct(problems)) {
    const written = location[0] === undefined ? undefined : await files.written(location[0])
    faults.add(`${locationOf(written, responseHeaders, root)}  ${readable(message)}`)
  }
  return readDocument(parsed, root)
}

async function readRoot(root: string, files: CopiedFiles): Promise<SourceDocument<Record<string, unknown>>> {
  const found = await files.resolveDocument(null, root, true).catch((error: unknown) => error)
  if (found instanceof YamlParseError) throw new ContractFaults([`${nameOf(root)}:${found.line}:${found.col}  ${found.message}`])
  if (found instanceof Error) throw new ContractFaults([`${nameOf(root)}  ${readable(found.message)}`])
  if (!isObject(found) || !isObject(found['parsed'])) throw new ContractFaults([`${nameOf(root)}  The file is not a YAML map.`])
  return found as unknown as SourceDocument<Record<string, unknown>> // the document just parsed
}

function componentsIn(source: Record<string, unknown>): Record<string, unknown> {
  return isObject(source['components']) ? source['components'] : {}
}

function relativeRef(root: string, file: string): string {
  return `./${relative(dirname(root), file)}`
}

/** Faults for files that claim the same component name, each naming the other. */
function sharedNames(folder: string, { declarations }: ContractFiles): string[] {
  const named = [...declarations].flatMap(([name, found]) => found.map(({ file }) => ({ name, file })))
  const written = [...componentFiles(folder)].flatMap(([name, found]) => found.map((file) => ({ name, file })))
  return [...Map.groupBy([...written, ...named], ({ name }) => name).values()]
    .map((group) => group.map(({ file }) => file).toSorted())
    .filter((files) => files.length > 1)
    .map(
      ([first = '', ...others]) =>
        `${others.map(nameOf).join(', ')}  ${nameOf(first)} has the same name; names have to be unique.`,
    )
}

/** Leaves out consequences of other faults: of shared names, and of references to a file that is not YAML. */
function distinct(problems: readonly NormalizedProblem[]): NormalizedProblem[] {
  const [failed, unresolved] = ['Failed to parse: ', "Can't resolve $ref: "]
  const reported = new Set(problems.map(({ message }) => message).filter((message) => message.startsWith(failed)))
  return problems
    .filter(({ message }) => !message.startsWith('Two schemas are referenced with the same name'))
    .filter(({ message }) => !message.startsWith(unresolved) || !reported.has(failed + message.slice(unresolved.length)))
}

/** `file:line:column`. A reference that the root contains only for the bundler comes from the table of headers. */
function locationOf(location: LocationObject | undefined, headers: readonly ResponseHeader[], root: string): string {
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
  // `npm run lint` checks its structure.
  return { components: {}, ...document } as unknown as Document
}
