/** The source files of the contract, and their references to each other. */

import { readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parse } from 'yaml'
import { isObject } from '../../../server/kernel/is_object.ts'

export const projectRoot = resolve(import.meta.dirname, '../../..')
export const specFolder = join(projectRoot, 'spec')

export interface SpecFile {
  /** relative to spec/ */
  path: string
  /** without folder and extension */
  name: string
  value: unknown
  /** files it refers to, relative to spec/ */
  references: string[]
}

/** Every YAML file below spec/, without workflows and versions, which describe the contract but are not part of it. */
export function specFiles(): SpecFile[] {
  const paths = readdirSync(specFolder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.yaml') && !/^(?:workflows|versions)\//.test(path),
  )
  return paths.toSorted().map((path) => {
    const value: unknown = parse(readFileSync(join(specFolder, path), 'utf8'))
    return {
      path,
      name: basename(path, '.yaml'),
      value,
      references: [...referencesIn(value)].map((ref) => relative(specFolder, resolve(specFolder, dirname(path), ref))),
    }
  })
}

/** Relative file references: `$ref`, values of a discriminator's mapping, headers of the header table. */
function referencesIn(value: unknown): Set<string> {
  const found = new Set<string>()
  const search = (part: unknown): void => {
    if (typeof part === 'string' && /^\.{1,2}\/\S+\.yaml(?:#\/\w+)?$/.test(part)) found.add(part.replace(/#.*$/, ''))
    else if (Array.isArray(part)) part.forEach(search)
    else if (isObject(part)) Object.values(part).forEach(search)
  }
  search(value)
  return found
}
