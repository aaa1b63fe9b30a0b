import { posix } from 'node:path'
import { percentDecoded } from '@workspace-service/server/kernel/urls.ts'

/** The folder beside a page that holds its files. No page has this name. */
export const FILES_FOLDER = 'files'
/** The address of the service that wrote an archive, as it appears in the archive's texts: archives do not name hosts. */
export const ARCHIVE_ORIGIN = 'https://workspace.invalid'

const NAME_LENGTH_MAX = 80
const RESERVED_BY_WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A file name for a title that is valid on any system. */
export function safeName(title: string): string {
  const plain = title
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
  const short = [...plain.trim()].slice(0, NAME_LENGTH_MAX).join('')
  const name = short
    .replace(/^\.+/, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .trim()
  if (name === '') return 'Untitled'
  return RESERVED_BY_WINDOWS.test(name) ? `_${name}` : name
}

/** Gives names that are unique within one folder, ignoring case. */
export class FolderNames {
  readonly #taken = new Set<string>([FILES_FOLDER])
  /** The next number of each name, so that naming many equal titles takes linear time. */
  readonly #next = new Map<string, number>()

  /** @param extension kept at the end: `photo.png`, `photo (2).png` */
  take(wanted: string, extension = ''): string {
    const base = safeName(wanted)
    const key = `${base}${extension}`.toLowerCase()
    for (let number = this.#next.get(key) ?? 1; ; number += 1) {
      const name = number === 1 ? base : `${base} (${number})`
      const whole = `${name}${extension}`.toLowerCase()
      if (this.#taken.has(whole)) continue
      this.#taken.add(whole)
      this.#next.set(key, number + 1)
      return `${name}${extension}`
    }
  }

  /** The name of a file, which keeps its extension. */
  takeFile(filename: string): string {
    const extension = /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? ''
    return this.take(extension === '' ? filename : filename.slice(0, -extension.length), extension)
  }
}

/** The address of a file as a relative link from another file. */
export function relativeAddress(fromFile: string, toFile: string): string {
  return posix
    .relative(posix.dirname(fromFile), toFile)
    .split('/')
    .map((part) => (part === '..' ? part : encodedName(part)))
    .join('/')
}

/** Encodes a name for an address in Markdown, which parentheses and quotes would end. */
function encodedName(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The path that a relative address in a file leads to; undefined for other addresses, and for addresses outside the archive. */
export function pathOfAddress(fromFile: string, address: string): string | undefined {
  const bare = address.split(/[?#]/, 1)[0] ?? ''
  if (bare === '' || bare.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(bare)) return undefined
  const path = posix.normalize(posix.join(posix.dirname(fromFile), percentDecoded(bare)))
  return path.startsWith('../') ? undefined : path
}

/** The path without its extension: the folder for the files and pages of a page or data source. */
export function folderOf(path: string): string {
  return path.replace(/\.(?:md|markdown|html?|csv|tsv)$/i, '')
}
