/** A YAML file that reports faults with line and column. */

import { readFile } from 'node:fs/promises'
import { isNode, isScalar, isMap, LineCounter, parseDocument, type Document as YamlDocument } from 'yaml'
import { ContractFaults } from '../generate/faults.ts'
import { nameOf } from '../generate/files.ts'

/** Keys from the root of a file, as in `['actions', 0, 'target']`. */
export type FilePath = readonly (string | number)[]

export class SourceFile {
  /** The absolute path. */
  readonly file: string
  readonly value: unknown
  readonly #document: YamlDocument
  readonly #lines: LineCounter

  private constructor(file: string, document: YamlDocument, lines: LineCounter) {
    this.file = file
    this.#document = document
    this.#lines = lines
    this.value = document.toJS()
  }

  /** Reads and parses a file. @throws ContractFaults if it cannot be read or is not YAML */
  static async read(file: string): Promise<SourceFile> {
    const text = await readFile(file, 'utf8').catch(() => {
      throw new ContractFaults([`${nameOf(file)}  The file does not exist, or cannot be read.`])
    })
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const faults = document.errors.map(({ pos: [offset], message }) => `${locationIn(file, lines, offset)}  ${message}`)
    if (faults.length > 0) throw new ContractFaults(faults)
    return new SourceFile(file, document, lines)
  }

  /** `file:line:column  what`, with the location of a value or, if the file does not have it, of the nearest enclosing one. */
  fault(path: FilePath, what: string): string {
    let known = path
    while (known.length > 0 && !this.#document.hasIn(known)) known = known.slice(0, -1)
    return `${locationIn(this.file, this.#lines, this.#offsetOf(known))}  ${what}`
  }

  #offsetOf(path: FilePath): number {
    const holder = this.#document.getIn(path.slice(0, -1), true)
    const pair = isMap(holder) ? holder.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined
    const node = pair?.key ?? this.#document.getIn(path, true)
    return isNode(node) ? (node.range?.[0] ?? 0) : 0
  }
}

function locationIn(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `${nameOf(file)}:${line}:${col}`
}
