import { basename, dirname, join, relative } from 'node:path/posix'
import { parse } from 'yaml'
import type { FileDraft } from './file_draft.ts'
import { UsageError } from './usage_error.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const COMPONENTS = /^spec\/(?:shared|events|resources\/[^/]+)\/(?:schemas|parameters|headers|responses|examples)\//

/** The path of a component of any kind. The names of components are unique regardless of case. */
export function componentFile(draft: FileDraft, name: string): string | undefined {
  const wanted = `${name.toLowerCase()}.yaml`
  const isDeclared = new RegExp(`^${name}:`, 'im')
  return (
    draft.files('spec', '.yaml').find((path) => COMPONENTS.test(path) && basename(path).toLowerCase() === wanted) ??
    draft.files('spec/families', '.yaml').find((path) => isDeclared.test(draft.read(path)))
  )
}

/** @throws UsageError if there is a component with that name */
export function requireNewComponent(draft: FileDraft, name: string): void {
  const file = componentFile(draft, name)
  if (file !== undefined) throw new UsageError(`${name} exists already: ${file}.`)
}

/** A relative reference from a file of the contract to another. */
export function reference(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** The value at a path of keys. */
export function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce((found, key) => (isObject(found) ? found[key] : undefined), value)
}

/** All path items, with the file of each. */
export function pathItems(draft: FileDraft): { file: string; item: unknown }[] {
  const files = draft.files('spec/resources', '.yaml').filter((path) => path.includes('/paths/'))
  return files.map((file) => ({ file, item: parse(draft.read(file)) as unknown }))
}

/** A response example with this schema, of any operation, or undefined. */
export function exampleOf(draft: FileDraft, schemaFile: string): string | undefined {
  for (const { file, item } of pathItems(draft)) {
    for (const operation of isObject(item) ? Object.values(item) : []) {
      const media = at(operation, 'responses', '200', 'content', 'application/json')
      const schema = at(media, 'schema', '$ref')
      if (typeof schema !== 'string' || join(dirname(file), schema) !== schemaFile) continue
      const examples = at(media, 'examples')
      const first = isObject(examples) ? at(Object.values(examples)[0], '$ref') : undefined
      const example = typeof first === 'string' ? join(dirname(file), first) : undefined
      // A path item in this draft may refer to an example that has not been drafted yet.
      if (example !== undefined && draft.has(example)) return example
    }
  }
  return undefined
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** The id in a row of `spec/example_workspace.md`, which examples may use. */
export function exampleId(draft: FileDraft, row: string): string {
  const [, id] = new RegExp(`^\\| ${row} \\|.*\`(${ID})\``, 'm').exec(draft.read('spec/example_workspace.md')) ?? []
  if (id === undefined) throw new Error(`spec/example_workspace.md has no row "${row}"`)
  return id
}
