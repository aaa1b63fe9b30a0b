import type { PropertyConfig } from '../../generated/types.ts'
import { AdministrationError } from '@workspace-service/server/domain/shared/index.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

export const MANIFEST_PATH = 'workspace.json'
export const MANIFEST_FORMAT = 'workspace-service pages'
const VERSION = 1

/** Content that an archive, or an import, lacks. */
export interface OmittedContent {
  readonly what: string
  /** A path in the archive, and the position within that file. */
  readonly where: string
  readonly reason: string
}

/** The manifest of an archive: names and types that its files cannot hold. */
export interface ArchiveManifest {
  readonly format: typeof MANIFEST_FORMAT
  readonly version: typeof VERSION
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** Pages outside data sources, after the pages that contain them. */
  readonly pages: readonly ManifestPage[]
  readonly databases: readonly ManifestDatabase[]
  readonly left_out: readonly OmittedContent[]
}

export interface ManifestPage {
  readonly path: string
  readonly id: string
  readonly title: string
}

export interface ManifestDatabase {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly is_inline: boolean
  readonly icon: string | null
  readonly cover: string | null
  readonly data_sources: readonly ManifestSource[]
}

export interface ManifestSource {
  readonly path: string
  readonly id: string
  readonly title: string
  /** The column that names each row, both for its Markdown file and in relations. */
  readonly row_column: string
  readonly properties: Readonly<Record<string, PropertyConfig>>
}

export function makeManifest(content: Omit<ArchiveManifest, 'format' | 'version'>): ArchiveManifest {
  return { format: MANIFEST_FORMAT, version: VERSION, ...content }
}

/** @throws AdministrationError for a manifest that this release cannot read */
export function parseManifest(text: string): ArchiveManifest {
  const value = parsedJson(text)
  if (!isObject(value) || value['format'] !== MANIFEST_FORMAT)
    throw new AdministrationError(
      `${MANIFEST_PATH} was not written by this service. Delete it from the archive to import the pages without it.`,
    )
  if (value['version'] !== VERSION)
    throw new AdministrationError(
      `${MANIFEST_PATH}: expected version ${VERSION}, found ${String(value['version'])}. Import the archive with the release that wrote it.`,
    )
  const { workspace } = value
  return makeManifest({
    workspace: {
      id: textOf(workspace, 'id'),
      name: isObject(workspace) && typeof workspace['name'] === 'string' ? workspace['name'] : null,
    },
    pages: listOf(value, 'pages').map(pageOf),
    databases: listOf(value, 'databases').map(databaseOf),
    left_out: [],
  })
}

function pageOf(value: unknown): ManifestPage {
  return { path: textOf(value, 'path'), id: textOf(value, 'id'), title: textOf(value, 'title') }
}

function databaseOf(value: unknown): ManifestDatabase {
  const sources = listOf(value, 'data_sources').map(sourceOf)
  if (sources.length === 0) throw damaged('a database has no data sources')
  return {
    id: textOf(value, 'id'),
    title: textOf(value, 'title'),
    description: textOf(value, 'description'),
    is_inline: isObject(value) && value['is_inline'] === true,
    icon: optionalText(value, 'icon'),
    cover: optionalText(value, 'cover'),
    data_sources: sources,
  }
}

function sourceOf(value: unknown): ManifestSource {
  const properties = isObject(value) && isObject(value['properties']) ? value['properties'] : {}
  for (const property of Object.values(properties)) textOf(property, 'type')
  return {
    path: textOf(value, 'path'),
    id: textOf(value, 'id'),
    title: textOf(value, 'title'),
    row_column: textOf(value, 'row_column'),
    // Settings are adapted to the contract before they are sent, and validated by the API.
    properties: properties as ManifestSource['properties'],
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged('it is not JSON')
  }
}

function textOf(value: unknown, key: string): string {
  const text = isObject(value) ? value[key] : undefined
  if (typeof text !== 'string') throw damaged(`expected a string as ${key}, found something else or nothing`)
  return text
}

function optionalText(value: unknown, key: string): string | null {
  return isObject(value) && value[key] !== null ? textOf(value, key) : null
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const list = isObject(value) ? value[key] : undefined
  if (!Array.isArray(list)) throw damaged(`expected an array as ${key}, found something else or nothing`)
  return list
}

function damaged(part: string): AdministrationError {
  return new AdministrationError(`${MANIFEST_PATH} is damaged: ${part}.`)
}
