import { posix } from 'node:path'
import { folderOf } from '../archive_names.ts'

/** Files by their names, for links that give a note's name instead of its path. */
export class NamedPaths {
  readonly #paths: readonly string[]
  #byName: ReadonlyMap<string, readonly string[]> | undefined

  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  /**
   * The file that `[[name]]` leads to: the file at that path, or else the topmost file whose path ends with it.
   * @param name with or without folders and extension
   */
  find(name: string): string | undefined {
    const wanted = posix.normalize(name.trim()).replace(/^\/+/, '').toLowerCase()
    const found = this.#named(posix.basename(wanted)).filter((path) => {
      const lower = path.toLowerCase()
      return [lower, folderOf(lower)].some((whole) => whole === wanted || whole.endsWith(`/${wanted}`))
    })
    return found.toSorted((one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1))[0]
  }

  #named(name: string): readonly string[] {
    this.#byName ??= namesOf(this.#paths)
    return this.#byName.get(name) ?? []
  }
}

function namesOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>()
  for (const path of paths) {
    const name = posix.basename(path).toLowerCase()
    for (const key of new Set([name, folderOf(name)])) {
      const list = byName.get(key)
      if (list) list.push(path)
      else byName.set(key, [path])
    }
  }
  return byName
}
