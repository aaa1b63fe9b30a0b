import { posix } from 'node:path'
import { folderOf } from '../archive_names.ts'
import { MANIFEST_PATH } from '../manifest.ts'

const IGNORED = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/

/** Files without content by people. */
export function isIgnored(path: string): boolean {
  return path === MANIFEST_PATH || IGNORED.test(path)
}

/** The topmost folder around a file whose name begins with a dot: settings of programs, and their trash. */
export function hiddenFolderOf(path: string): string | undefined {
  const parts = path.split('/').slice(0, -1)
  const index = parts.findIndex((part) => part.startsWith('.'))
  return index === -1 ? undefined : parts.slice(0, index + 1).join('/')
}

export function isPage(path: string): boolean {
  return /\.(?:md|markdown|html?)$/i.test(path)
}

export function isHtml(path: string): boolean {
  return /\.html?$/i.test(path)
}

export function isTable(path: string): boolean {
  return /\.(?:csv|tsv)$/i.test(path)
}

/** Whether a file becomes a page or a table. */
export function isContent(path: string): boolean {
  return (isPage(path) || isTable(path)) && !isIgnored(path) && hiddenFolderOf(path) === undefined
}

/** The id that some programs append to names. */
const ID = /(?<!\s)\s+[0-9a-f]{32}$/i

/** A path without the id in its last part. */
export function withoutId(path: string): string {
  return path.replace(ID, '')
}

/** The name of a file without the id that some programs append. */
export function nameOfFile(path: string): string {
  return withoutId(folderOf(posix.basename(mainTableOf(path) ?? path)))
}

/** The table whose rows a file contains completely, as in `Boats <id>_all.csv`; undefined for any other file. */
export function mainTableOf(path: string): string | undefined {
  const [, base] = /^([^]*\s[0-9a-f]{32})_all\.csv$/i.exec(path) ?? []
  return base === undefined ? undefined : `${base}.csv`
}
