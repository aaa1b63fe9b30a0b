import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from './usage_error.ts'

/** Files to create and change. They are written by `write` only, so that a refusal leaves the tree unchanged. */
export class FileDraft {
  readonly #root: string
  readonly #texts = new Map<string, string>()
  readonly #created = new Set<string>()

  /** @param root the folder of the project, to which all other paths are relative */
  constructor(root: string) {
    this.#root = root
  }

  get created(): string[] {
    return [...this.#created]
  }

  get changed(): string[] {
    return [...this.#texts.keys()].filter((path) => !this.#created.has(path))
  }

  has(path: string): boolean {
    return this.#texts.has(path) || existsSync(join(this.#root, path))
  }

  read(path: string): string {
    return this.#texts.get(path) ?? readFileSync(join(this.#root, path), 'utf8')
  }

  /** The files below a folder, including drafted ones. */
  files(folder: string, ending: string): string[] {
    const path = join(this.#root, folder)
    const onDisk = existsSync(path)
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
      : []
    const drafted = this.created.filter((name) => name.startsWith(`${folder}/`))
    return [...onDisk, ...drafted].filter((name) => name.endsWith(ending))
  }

  /** @throws UsageError if the file exists */
  create(path: string, text: string): void {
    if (this.has(path)) throw new UsageError(`${path} exists already.`)
    this.#texts.set(path, text)
    this.#created.add(path)
  }

  change(path: string, edit: (text: string) => string): void {
    this.#texts.set(path, edit(this.read(path)))
  }

  write(): void {
    for (const [path, text] of this.#texts) {
      mkdirSync(dirname(join(this.#root, path)), { recursive: true })
      writeFileSync(join(this.#root, path), text)
    }
  }
}
