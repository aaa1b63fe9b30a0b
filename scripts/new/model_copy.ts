import { basename } from 'node:path/posix'
import type { FileDraft } from './file_draft.ts'

/** A name of the model, or a pattern for it, and the replacement in the copy. */
export type NamePair = readonly [model: string | RegExp, copy: string]

/** Begins an addition as a copy of an existing part of the contract, its model, so that the copy has all required parts. */
export class ModelCopy {
  readonly #draft: FileDraft
  readonly #names: readonly NamePair[]

  /**
   * @param names the names of the model in each form, with the corresponding names of the copy; a longer name comes before one that it
   * contains
   */
  constructor(draft: FileDraft, names: readonly NamePair[]) {
    this.#draft = draft
    this.#names = names
  }

  renamed(text: string): string {
    return this.#names.reduce((renamed, [model, copy]) => renamed.replaceAll(model, copy), text)
  }

  /** The files of the contract that are named after the model. */
  filesOfModel(folder: string): string[] {
    return this.#draft.files(folder, '.yaml').filter((path) => this.#isNamed(basename(path)))
  }

  /** Drafts a copy of a schema or example, whose own keys are below `content`. */
  copyFile(path: string, content: string): void {
    const text = this.renamed(this.#draft.read(path))
    const name = basename(this.renamed(path), '.yaml')
    this.#draft.create(
      this.renamed(path),
      text
        .replace(/^description: (?:[|>].*\n(?: .*\n)+|.*\n)/m, `description: "TODO: say what ${name} is."\n`)
        .replace(/^summary: .*$/m, 'summary: "TODO: distinguish this example from the others."')
        .replace(new RegExp(`^(?=( +)${content}:)`, 'm'), '$1# TODO: choose its own keys and values.\n'),
    )
  }

  /** Drafts a copy of a member of a family, whose own keys begin with `key`. */
  copyMember(path: string, key: string): void {
    const text = this.renamed(this.#draft.read(path)).replaceAll(
      /^(\w+):\n(?:  (?!description:).*\n)*  description: (?:[|>].*\n(?:    .*\n)+|.*\n)/gm,
      (entry, name: string) =>
        entry.replace(/^  description: (?:[|>].*\n(?:    .*\n)+|.*\n)/m, `  description: "TODO: say what ${name} is."\n`),
    )
    const [schemas = '', ...entries] = text.split(/^(?=entries:\n)/m)
    const marked = schemas.replaceAll(new RegExp(`^(?=( {4})${key}:)`, 'gm'), '$1# TODO: choose its own keys and values.\n')
    const examples = entries
      .join('')
      .replace('entries:\n', 'entries: # TODO: choose values of its own, here and in the examples.\n')
      .replaceAll(/^  summary: .*$/gm, '  summary: "TODO: distinguish this example from the others."')
    this.#draft.create(this.renamed(path), marked + examples)
  }

  /**
   * Repeats each line that matches the pattern, with the names of the copy.
   * @throws Error if there is none
   */
  repeatLines(path: string, pattern: RegExp): void {
    this.#draft.change(path, (text) => {
      const lines = text.split('\n')
      if (!lines.some((line) => this.#isRepeated(line, pattern))) throw new Error(`${path} has no line of the model`)
      return lines.flatMap((line) => (this.#isRepeated(line, pattern) ? [line, this.renamed(line)] : [line])).join('\n')
    })
  }

  /**
   * Repeats the text that matches the pattern, which ends with a line.
   * @throws Error if nothing matches
   */
  repeatBlock(path: string, pattern: RegExp): void {
    this.#draft.change(path, (text) => {
      if (!pattern.test(text)) throw new Error(`${path} has no block of the model`)
      return text.replace(pattern, (block) => block + this.renamed(block))
    })
  }

  /** Repeats the lines of references, mappings and lists in all other schemas of a folder. */
  repeatInUnions(folder: string): void {
    for (const path of this.#draft.files(folder, '.yaml').filter((file) => file.includes('/schemas/'))) {
      const pattern = /^ *(?:- \$ref: \S+|\w+: \S+\.yaml(?:#\/\w+)?|- [a-z_]+)$/
      const isOwn = this.#isNamed(basename(path)) || this.#draft.created.includes(path)
      if (
        !isOwn &&
        this.#draft
          .read(path)
          .split('\n')
          .some((line) => this.#isRepeated(line, pattern))
      )
        this.repeatLines(path, pattern)
    }
  }

  #isNamed(name: string): boolean {
    return this.#names.some(([model]) => typeof model === 'string' && name.includes(model))
  }

  #isRepeated(line: string, pattern: RegExp): boolean {
    return pattern.test(line) && this.renamed(line) !== line
  }
}
